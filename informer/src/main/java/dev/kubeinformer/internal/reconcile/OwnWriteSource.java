package dev.kubeinformer.internal.reconcile;

import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;

/**
 * Cache of a reconciler that will show its own writes.
 *
 * @param type the resource
 * @param store the cache
 * @param selection which objects are in the cache
 */
public record OwnWriteSource(ResourceType<?> type, ObjectStore<?> store, Selection selection) {

	/**
	 * Returns the part of the cache that shows a write.
	 * @param type the resource of the object, in whatever version of the API
	 * @param written the object as the API server returned it
	 * @return the partition; {@code null} if the cache never shows the object, which is
	 * of another kind, namespace or shard
	 */
	@Nullable String partitionOf(ResourceType<?> type, KubernetesObject written) {
		boolean cached = this.type.group().equals(type.group()) && this.type.kind().equals(type.kind());
		V1ObjectMeta metadata = Objects.requireNonNullElseGet(written.getMetadata(), V1ObjectMeta::new);
		return (cached && !this.selection.excludes(metadata))
				? this.store.partitionOf(Objects.requireNonNullElse(metadata.getNamespace(), "")) : null;
	}

	/**
	 * Returns whether an object may be missing from the cache although it is there.
	 * @param written the object as the API server returned it
	 * @return whether the absence of the object shows nothing
	 */
	boolean hides(KubernetesObject written) {
		V1ObjectMeta metadata = written.getMetadata();
		return this.selection.fieldSelector()
				|| !this.selection.labels().test((metadata != null) ? metadata.getLabels() : null);
	}

	/**
	 * Which objects of the resource are in the cache.
	 *
	 * @param labels whether the cache selects an object with these labels
	 * @param fieldSelector whether the cache has a field selector, of which nothing is
	 * known before the object comes
	 * @param shard the shard that is in the cache; {@code null} for all objects
	 */
	public record Selection(Predicate<@Nullable Map<String, String>> labels, boolean fieldSelector,
			@Nullable Shard shard) {

		private boolean excludes(V1ObjectMeta metadata) {
			if (this.shard == null || (this.shard.key() == ShardKey.UID && metadata.getUid() == null)) {
				return false;
			}
			return !this.shard.contains(metadata.getNamespace(), metadata.getUid());
		}

	}

}
