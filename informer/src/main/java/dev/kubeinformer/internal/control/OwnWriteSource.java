package dev.kubeinformer.internal.control;

import java.util.Map;
import java.util.function.Predicate;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.resource.ResourceType;

/**
 * Cache of a reconciler that will show its own writes.
 *
 * @param type the resource
 * @param store the cache
 * @param labels whether the cache selects an object with these labels
 * @param fieldSelector whether the cache has a field selector, of which nothing is known
 * before the object comes
 */
public record OwnWriteSource(ResourceType<?> type, ObjectStore<?> store,
		Predicate<@Nullable Map<String, String>> labels, boolean fieldSelector) {

	/**
	 * Returns whether objects of a resource are in the cache, in whatever version of the
	 * API.
	 * @param written the resource
	 * @return whether group and kind are the same
	 */
	boolean caches(ResourceType<?> written) {
		return this.type.group().equals(written.group()) && this.type.kind().equals(written.kind());
	}

	/**
	 * Returns whether an object may be missing from the cache although it is there.
	 * @param written the object as the API server returned it
	 * @return whether the absence of the object shows nothing
	 */
	boolean hides(KubernetesObject written) {
		V1ObjectMeta metadata = written.getMetadata();
		return this.fieldSelector || !this.labels.test((metadata != null) ? metadata.getLabels() : null);
	}

}
