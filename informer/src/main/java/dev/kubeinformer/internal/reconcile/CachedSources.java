package dev.kubeinformer.internal.reconcile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.internal.overlay.OverlaidSnapshot;
import dev.kubeinformer.internal.overlay.WriteOverlay;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.internal.store.UnreadableObject;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;

/**
 * Caches that the runs of a reconciler read: the cache of the primaries, and the caches
 * of the other sources. All caches are added before the first run.
 *
 * @param <T> the model class of the primary
 */
public final class CachedSources<T extends KubernetesObject> {

	private static final String UNOWNED = "dev.kubeinformer/primary-uid";

	private final WriteOverlay<T> primaries;

	private final List<OwnedSource<?>> owned = new ArrayList<>();

	private final List<Cache<?>> caches = new ArrayList<>();

	private final Map<Class<?>, WriteOverlay<?>> unowned = new HashMap<>();

	/**
	 * Creates the caches of a reconciler without further sources.
	 * @param type the resource of the primary
	 * @param primaries the cache of primaries
	 */
	public CachedSources(ResourceType<T> type, WriteOverlay<T> primaries) {
		this.primaries = primaries;
		add(type, primaries);
	}

	/**
	 * Creates an empty overlay of a cache. An overlay holds the writes of runs that the
	 * cache does not show yet.
	 * @param <C> the model class
	 * @param store the cache
	 * @param nanoTime the clock
	 * @return the content of the cache that runs read
	 */
	public static <C extends KubernetesObject> WriteOverlay<C> overlay(ObjectStore<C> store, LongSupplier nanoTime) {
		return new WriteOverlay<>(store, CachedSources::ownerUids, nanoTime);
	}

	// May contain a UID twice; an index of the overlay ignores that.
	private static List<String> ownerUids(KubernetesObject object) {
		List<String> marked = UnownedObjects.primaryUids(object);
		if (marked.isEmpty()) {
			return OwnerReferences.uids(object);
		}
		List<String> all = new ArrayList<>(OwnerReferences.uids(object));
		all.addAll(marked);
		return all;
	}

	/**
	 * Adds a cache.
	 * @param <C> the model class
	 * @param type the resource
	 * @param cache the cache, with the writes of runs that it does not show yet
	 */
	public <C extends KubernetesObject> void add(ResourceType<C> type, WriteOverlay<C> cache) {
		this.caches.add(new Cache<>(type, cache));
	}

	/**
	 * Adds a cache of owned objects.
	 * @param <C> the model class
	 * @param source the source
	 * @param cache the cache, with the writes of runs that it does not show yet
	 */
	public <C extends KubernetesObject> void own(OwnedSource<C> source, WriteOverlay<C> cache) {
		this.owned.add(source);
		add(source.type(), cache);
	}

	/**
	 * Returns all objects of the caches.
	 * @return the objects; an object may occur more than once
	 */
	public Stream<? extends KubernetesObject> objects() {
		return this.caches.stream().flatMap((cache) -> cache.overlay().store().snapshot().list().stream());
	}

	/**
	 * Returns the cached objects that name a primary as their owner.
	 * @param uid the UID of the primary
	 * @return the objects
	 */
	public Stream<? extends KubernetesObject> children(String uid) {
		return this.owned.stream().flatMap((source) -> source.naming(uid).stream());
	}

	/**
	 * Returns the newest known state of a primary: the cached state, or a newer one that
	 * a run has written.
	 * @param key the key
	 * @return the object; {@code null} if there is none
	 */
	@Nullable StoredObject<T> primary(ObjectKey key) {
		return this.primaries.snapshot().find(key);
	}

	/**
	 * Returns a primary whose current state cannot be decoded. If the cache holds an
	 * object with its key, this is an earlier state.
	 * @param key the key
	 * @return the metadata of the primary; {@code null} if the primary can be decoded or
	 * does not exist
	 */
	@Nullable UnreadableObject unreadable(ObjectKey key) {
		return this.primaries.snapshot().unreadable(key);
	}

	/**
	 * Takes a snapshot of each cache.
	 * @param primary the primary of the run
	 * @return the snapshots
	 */
	RunSources sources(StoredObject<T> primary) {
		// Every run reads its primary.
		this.primaries.shownTo(primary.key(), primary.key());
		OwnedSnapshots snapshots = new OwnedSnapshots(this.owned, primary.key());
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
			public <C extends KubernetesObject> Owned<C> unowned(Class<C> objectClass) {
				return CachedSources.this.unowned(objectClass, primary);
			}

			@Override
			public <C extends KubernetesObject> @Nullable C cached(ResourceType<C> type, ObjectKey key) {
				return find(type, key, primary.key());
			}

			@Override
			public @Nullable KubernetesObject unreadable(ResourceType<?> type, ObjectKey key) {
				return findUnreadable(type, key);
			}

		};
	}

	/**
	 * Adds the cache of unowned objects, with an index by the UIDs of their primaries.
	 * @param <C> the model class
	 * @param type the resource
	 * @param cache the cache, with the writes of runs that it does not show yet
	 */
	public <C extends KubernetesObject> void unowned(ResourceType<C> type, WriteOverlay<C> cache) {
		cache.store().addIndexerIfAbsent(UNOWNED, (object) -> UnownedObjects.primaryUids(object));
		this.unowned.put(type.objectClass(), cache);
	}

	private <C extends KubernetesObject> Owned<C> unowned(Class<C> objectClass, StoredObject<T> primary) {
		WriteOverlay<?> cache = this.unowned.get(objectClass);
		if (cache == null) {
			throw new IllegalArgumentException(
					"'%s' is not one of the unowned classes %s; declare it as unowned".formatted(objectClass.getName(),
							this.unowned.keySet().stream().map(Class::getName).sorted().toList()));
		}
		cache.showing(primary.key()).run();
		OverlaidSnapshot<?> snapshot = cache.snapshot();
		List<C> objects = snapshot.byIndex(UNOWNED, primary.uid()).stream().map(objectClass::cast).toList();
		return snapshot.isReadable() ? Owned.of(objects) : Owned.of(objects, () -> quarantined(snapshot, objects));
	}

	// Only the last readable state shows to which primary an object belongs.
	@SuppressWarnings("unchecked") // This is metadata of an object of this cache.
	private static <C extends KubernetesObject> List<Metadata<C>> quarantined(OverlaidSnapshot<?> snapshot,
			List<C> objects) {
		return objects.stream()
			.map((each) -> snapshot.unreadable(ObjectKey.of(each)))
			.filter(Objects::nonNull)
			.map((each) -> (Metadata<C>) each.metadata())
			.toList();
	}

	private <C extends KubernetesObject> @Nullable C find(ResourceType<C> type, ObjectKey key, ObjectKey reader) {
		for (Cache<?> cache : this.caches) {
			StoredObject<?> found = cache.type().equals(type) ? cache.overlay().snapshot().find(key) : null;
			if (found != null) {
				cache.overlay().shownTo(reader, key);
				return type.objectClass().cast(found.object());
			}
		}
		return null;
	}

	private @Nullable KubernetesObject findUnreadable(ResourceType<?> type, ObjectKey key) {
		for (Cache<?> cache : this.caches) {
			UnreadableObject found = cache.type().equals(type) ? cache.overlay().snapshot().unreadable(key) : null;
			if (found != null) {
				return found.metadata();
			}
		}
		return null;
	}

	/**
	 * Cache of one source.
	 *
	 * @param <C> the model class
	 * @param type the resource
	 * @param overlay the cache, with the writes of runs that it does not show yet
	 */
	private record Cache<C extends KubernetesObject>(ResourceType<C> type, WriteOverlay<C> overlay) {

	}

}
