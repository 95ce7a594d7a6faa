package dev.kubeinformer.sample.page;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.informer.Snapshot;

/**
 * View of a cache for the page: names and some metadata, without annotations and other
 * content.
 *
 * @param resourceVersion the version of the cache
 * @param size the number of objects in the cache
 * @param matching the number of objects that match the request
 * @param objects the first matching objects, by namespace and name
 */
record CacheView(String resourceVersion, int size, int matching, List<CachedObject> objects) {

	/** Maximum number of objects. */
	static final int LIMIT = 50;

	/**
	 * Returns the view of a cache.
	 * @param snapshot its content
	 * @param name a part of the name; empty for any
	 * @param namespace the namespace; empty for all
	 * @param labels a label selector; empty for any
	 * @throws IllegalArgumentException if the selector is invalid
	 */
	static CacheView of(Snapshot<?> snapshot, String name, String namespace, String labels) {
		List<? extends KubernetesObject> matching = (namespace.isEmpty() ? snapshot.select(labels)
				: snapshot.list(namespace, labels))
			.stream()
			.filter((object) -> Objects.toString(object.getMetadata().getName(), "").contains(name))
			.toList();
		List<CachedObject> first = matching.stream()
			.map((object) -> CachedObject.of(object.getMetadata()))
			.sorted(Comparator.comparing(CachedObject::namespace).thenComparing(CachedObject::name))
			.limit(LIMIT)
			.toList();
		return new CacheView(snapshot.resourceVersion(), snapshot.size(), matching.size(), first);
	}

	/**
	 * View of an object.
	 */
	record CachedObject(String namespace, String name, SortedMap<String, String> labels, String resourceVersion,
			@Nullable Instant created) {

		static CachedObject of(V1ObjectMeta metadata) {
			OffsetDateTime created = metadata.getCreationTimestamp();
			return new CachedObject(Objects.toString(metadata.getNamespace(), ""),
					Objects.toString(metadata.getName(), ""),
					new TreeMap<>(Objects.requireNonNullElse(metadata.getLabels(), Map.of())),
					Objects.toString(metadata.getResourceVersion(), ""),
					(created != null) ? created.toInstant() : null);
		}

	}

}
