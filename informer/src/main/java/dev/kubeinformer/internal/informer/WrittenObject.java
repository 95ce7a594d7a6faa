package dev.kubeinformer.internal.informer;

import java.util.Objects;
import java.util.Set;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.model.DynamicObjects;
import dev.kubeinformer.internal.store.StoreSnapshot;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;

/**
 * What a write has left at the API server, for those who wait until a cache has seen it.
 *
 * @param partition the part of the cache that will show it
 * @param key the object
 * @param version the version of the write
 */
record WrittenObject(String partition, ObjectKey key, String version) {

	/**
	 * Reads the identity of an object that the API server returned.
	 * @param written the object
	 * @param informer the id of the informer that shall see it
	 * @param type what the informer caches
	 * @param partitions the namespaces it caches, or the empty string for all
	 * @return the identity
	 * @throws IllegalArgumentException if that informer never sees it
	 */
	static WrittenObject of(KubernetesObject written, String informer, ResourceType<?> type, Set<String> partitions) {
		boolean cached = (type.isDynamic() || type.isMetadata()) ? DynamicObjects.isOf(type, written)
				: type.objectClass().isInstance(written) || isOf(type, written);
		if (!cached) {
			throw new IllegalArgumentException("Informer '%s' caches '%s'; an object of '%s' is none of them"
				.formatted(informer, type.name(), written.getClass().getName()));
		}
		V1ObjectMeta metadata = Objects.requireNonNullElseGet(written.getMetadata(), V1ObjectMeta::new);
		ObjectKey key = new ObjectKey(textOf(metadata.getNamespace()), textOf(metadata.getName()));
		String version = textOf(metadata.getResourceVersion());
		if (version.isEmpty()) {
			throw new IllegalArgumentException(
					"'%s' has no resourceVersion to wait for; hand over what the API server returned from the write"
						.formatted(key));
		}
		if (partitions.contains("")) {
			return new WrittenObject("", key, version);
		}
		if (!partitions.contains(key.namespace())) {
			throw new IllegalArgumentException("Informer '%s' caches the namespaces %s, and never sees '%s' of '%s'"
				.formatted(informer, partitions, key, key.namespace()));
		}
		return new WrittenObject(key.namespace(), key, version);
	}

	private static boolean isOf(ResourceType<?> type, KubernetesObject written) {
		return type.apiVersion().equals(written.getApiVersion()) && type.kind().equals(written.getKind());
	}

	private static String textOf(@Nullable String text) {
		return (text != null) ? text : "";
	}

	boolean isSeenBy(StoreSnapshot<?> snapshot) {
		return snapshot.hasReached(this.partition, this.key, this.version);
	}

}
