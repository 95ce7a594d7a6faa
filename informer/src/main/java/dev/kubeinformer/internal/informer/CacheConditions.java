package dev.kubeinformer.internal.informer;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.internal.codec.model.DynamicObjects;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.store.StoreSnapshot;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;

/**
 * Lets callers wait until the cache of one informer meets a condition. A call from a
 * transform or an index function of the informer is rejected immediately, because the
 * function cannot end before the wait. Safe for use by several threads.
 *
 * @param <T> the model class
 */
final class CacheConditions<T extends KubernetesObject> {

	private final String id;

	private final InformerSpec<T> spec;

	private final ObjectStore<T> store;

	private final InformerPartitions<T> partitions;

	CacheConditions(String id, InformerSpec<T> spec, ObjectStore<T> store, InformerPartitions<T> partitions) {
		this.id = id;
		this.spec = spec;
		this.store = store;
		this.partitions = partitions;
	}

	boolean awaitSync(Duration timeout) throws InterruptedException {
		// A handler may wait here, because the cache never waits for a handler.
		if (this.partitions.isCurrentThread() && !this.store.awaitFullState(Duration.ZERO)) {
			throw waitingForItself();
		}
		return this.store.awaitFullState(timeout);
	}

	boolean awaitSync(String namespace, Duration timeout) throws InterruptedException {
		if (this.partitions.isCurrentThread() && !this.store.awaitFullState(namespace, Duration.ZERO)) {
			throw waitingForItself();
		}
		return this.store.awaitFullState(namespace, timeout);
	}

	boolean awaitResourceVersion(String resourceVersion, Duration timeout) throws InterruptedException {
		if (resourceVersion.isBlank()) {
			throw new IllegalArgumentException(
					"Informer '%s' cannot wait for an empty resourceVersion".formatted(this.id));
		}
		// A process that holds no slot has an empty cache, so no object in it can be too
		// old.
		return await(null,
				(snapshot) -> this.store.areSlotsFull() && (isWithoutSlots() || snapshot.hasReached(resourceVersion)),
				timeout);
	}

	boolean await(KubernetesObject written, Duration timeout) throws InterruptedException {
		requireCachedType(written);
		V1ObjectMeta metadata = Objects.requireNonNullElseGet(written.getMetadata(), V1ObjectMeta::new);
		ObjectKey key = new ObjectKey(textOf(metadata.getNamespace()), textOf(metadata.getName()));
		String version = textOf(metadata.getResourceVersion());
		if (version.isEmpty()) {
			throw new IllegalArgumentException(
					"'%s' has no resourceVersion to wait for; pass the object that the API server returned from the write"
						.formatted(key));
		}
		String partition = partition(key);
		// The cache never shows an object of another shard, so do not wait for it.
		String uid = textOf(metadata.getUid());
		return !isInShard(written) || await(partition, (snapshot) -> !this.store.isHeld(key.namespace(), uid)
				|| isWithoutSlots()
				|| (this.store.isFull(partition, key.namespace(), uid) && snapshot.hasReached(partition, key, version)),
				timeout);
	}

	private boolean isWithoutSlots() {
		return this.spec.shards() != null && this.store.isSettled() && this.store.heldSlots().isEmpty();
	}

	private void requireCachedType(KubernetesObject written) {
		ResourceType<T> type = this.spec.type();
		boolean cached = (type.isDynamic() || type.isMetadata()) ? DynamicObjects.isOf(type, written)
				: type.objectClass().isInstance(written)
						|| (type.apiVersion().equals(written.getApiVersion()) && type.kind().equals(written.getKind()));
		if (!cached) {
			throw new IllegalArgumentException("Informer '%s' caches '%s', not objects of '%s'".formatted(this.id,
					type.name(), written.getClass().getName()));
		}
	}

	private String partition(ObjectKey key) {
		Set<String> cached = this.partitions.names();
		if (cached.contains("")) {
			return "";
		}
		if (!cached.contains(key.namespace())) {
			throw new IllegalArgumentException("Informer '%s' caches the namespaces %s, and never sees '%s' of '%s'"
				.formatted(this.id, cached, key, key.namespace()));
		}
		return key.namespace();
	}

	private static String textOf(@Nullable String text) {
		return (text != null) ? text : "";
	}

	private boolean isInShard(KubernetesObject written) {
		Shard shard = this.spec.shard();
		V1ObjectMeta metadata = written.getMetadata();
		if (shard == null || metadata == null || (shard.key() == ShardKey.UID && metadata.getUid() == null)) {
			return true;
		}
		return shard.contains(metadata.getNamespace(), metadata.getUid());
	}

	private boolean await(@Nullable String partition, Predicate<StoreSnapshot<T>> condition, Duration timeout)
			throws InterruptedException {
		if (this.partitions.isCurrentThread() && !condition.test(this.store.snapshot())) {
			throw waitingForItself();
		}
		return this.store.await(partition, condition, timeout);
	}

	private IllegalStateException waitingForItself() {
		return new IllegalStateException(
				"A transform or index function of informer '%s' must not wait for the cache, because the cache waits for it"
					.formatted(this.id));
	}

}
