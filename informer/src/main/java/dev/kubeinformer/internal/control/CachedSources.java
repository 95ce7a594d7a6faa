package dev.kubeinformer.internal.control;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;

/**
 * Caches of the sources of a reconciler. All are added before the first run.
 *
 * @param <T> the model class of the primary
 */
public final class CachedSources<T extends KubernetesObject> implements RunCaches<T> {

	private final ObjectStore<T> primaries;

	private final List<OwnedSource<?>> owned = new ArrayList<>();

	private final List<Cache<?>> caches = new ArrayList<>();

	/**
	 * Creates the caches of a reconciler without further sources.
	 * @param type the resource of the primary
	 * @param primaries the cache of primaries
	 */
	public CachedSources(ResourceType<T> type, ObjectStore<T> primaries) {
		this.primaries = primaries;
		add(type, primaries);
	}

	/**
	 * Adds a cache.
	 * @param <C> the model class
	 * @param type the resource
	 * @param store the cache
	 */
	public <C extends KubernetesObject> void add(ResourceType<C> type, ObjectStore<C> store) {
		this.caches.add(new Cache<>(type, store));
	}

	/**
	 * Adds a cache of owned objects.
	 * @param <C> the model class
	 * @param source the cache
	 * @param store its content
	 */
	public <C extends KubernetesObject> void own(OwnedSource<C> source, ObjectStore<C> store) {
		this.owned.add(source);
		add(source.type(), store);
	}

	/**
	 * Returns all objects that the caches hold.
	 * @return the objects, some of them several times
	 */
	public Stream<? extends KubernetesObject> objects() {
		return this.caches.stream().flatMap((cache) -> cache.store().snapshot().list().stream());
	}

	@Override
	public @Nullable StoredObject<T> primary(ObjectKey key) {
		return this.primaries.snapshot().find(key.namespace(), key.name());
	}

	@Override
	public RunSources sources(StoredObject<T> primary) {
		OwnedSnapshots snapshots = new OwnedSnapshots(this.owned);
		return new RunSources() {

			@Override
			public <C extends KubernetesObject> Owned<C> owned(Class<C> objectClass) {
				return snapshots.ownedBy(objectClass, primary.key(), primary.uid());
			}

			@Override
			public <C extends KubernetesObject> Owned<Metadata<C>> ownedMetadata(Class<C> objectClass) {
				return snapshots.metadataOwnedBy(objectClass, primary.key(), primary.uid());
			}

			@Override
			public <C extends KubernetesObject> @Nullable C cached(ResourceType<C> type, ObjectKey key) {
				return find(type, key);
			}

		};
	}

	private <C extends KubernetesObject> @Nullable C find(ResourceType<C> type, ObjectKey key) {
		for (Cache<?> cache : this.caches) {
			Object found = cache.type().equals(type) ? cache.store().snapshot().get(key.namespace(), key.name()) : null;
			if (found != null) {
				return type.objectClass().cast(found);
			}
		}
		return null;
	}

	/**
	 * Cache of one source.
	 *
	 * @param <C> the model class
	 * @param type the resource
	 * @param store the cache
	 */
	private record Cache<C extends KubernetesObject>(ResourceType<C> type, ObjectStore<C> store) {

	}

}
