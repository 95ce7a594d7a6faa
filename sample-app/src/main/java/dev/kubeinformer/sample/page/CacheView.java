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
 * What the page shows of a cache: names and a little metadata, nothing of what the
 * objects hold, and no annotations.
 *
 * @param resourceVersion the version of the cache
 * @param size the number of objects in it
 * @param matching the number of those that were asked for
 * @param objects the first of them, by namespace and name
 */
record CacheView(String resourceVersion, int size, int matching, List<CachedObject> objects) {

	/** How many objects are shown at most. */
	static final int LIMIT = 50;

	/**
	 * Looks into a cache.
	 * @param snapshot its content
	 * @param name a part of the name; empty for any
	 * @param namespace the namespace; empty for all
	 * @param labels a label selector; empty for any
	 * @throws IllegalArgumentException if the selector cannot be read
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
	 * What the page shows of an object.
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
