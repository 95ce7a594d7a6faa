package dev.kubeinformer.internal.reconcile;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.internal.overlay.OverlaidSnapshot;
import dev.kubeinformer.internal.overlay.WriteOverlay;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.store.UnreadableObject;
import dev.kubeinformer.internal.workqueue.KeyFeed;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;

/**
 * Cache of the objects that primaries of a reconciler own. All reconcilers share its
 * index by the UIDs of owners.
 *
 * @param <C> the model class
 */
public final class OwnedSource<C extends KubernetesObject> {

	/** Name of the index. */
	static final String INDEX = "dev.kubeinformer/owner-uid";

	/** Index function. It is a single instance, so that a store recognises the index. */
	private static final Function<KubernetesObject, List<String>> UIDS = OwnerReferences::uids;

	private final ResourceType<C> type;

	private final WriteOverlay<C> cache;

	private final OwnerReferences references;

	private final boolean controllerOnly;

	/**
	 * Creates a source, and the index if the cache has none yet.
	 * @param type the resource
	 * @param cache the cache, with the writes of runs that it does not show yet
	 * @param references reads references to primaries
	 * @param controllerOnly {@code true} if a primary owns an object only as its
	 * controller; {@code false} if any owner reference is sufficient
	 */
	public OwnedSource(ResourceType<C> type, WriteOverlay<C> cache, OwnerReferences references,
			boolean controllerOnly) {
		this.type = type;
		this.cache = cache;
		this.references = references;
		this.controllerOnly = controllerOnly;
		index(cache.store());
	}

	/**
	 * Creates the index of a cache, if it has none yet.
	 * @param <C> the model class
	 * @param store the cache
	 */
	@SuppressWarnings("unchecked") // A function of any object accepts these, too.
	public static <C extends KubernetesObject> void index(ObjectStore<C> store) {
		store.addIndexerIfAbsent(INDEX, (Function<C, List<String>>) (Function<?, ?>) UIDS);
	}

	/**
	 * Returns the resource.
	 * @return the resource
	 */
	public ResourceType<C> type() {
		return this.type;
	}

	/**
	 * Returns a sink that feeds a queue with the keys of the owners.
	 * @param feed the queue
	 * @return a new sink
	 */
	public EnqueueOwner<C> sink(KeyFeed feed) {
		return sink(feed, this.references, this.controllerOnly);
	}

	/**
	 * Returns a sink that feeds a queue with the keys of owners.
	 * @param <C> the model class
	 * @param feed the queue
	 * @param references reads references to primaries
	 * @param controllerOnly {@code true} to queue only controllers; {@code false} to
	 * queue all owners
	 * @return a new sink
	 */
	public static <C extends KubernetesObject> EnqueueOwner<C> sink(KeyFeed feed, OwnerReferences references,
			boolean controllerOnly) {
		return new EnqueueOwner<>(feed, (object) -> references.owners(object, controllerOnly));
	}

	/**
	 * Returns the cached objects whose owner references contain a UID.
	 * @param uid the UID of the owner
	 * @return the objects, without the writes of runs
	 */
	List<C> naming(String uid) {
		return Objects.requireNonNullElse(this.cache.store().snapshot().byIndex(INDEX, uid), List.of());
	}

	/**
	 * Captures the current content of the cache.
	 * @param reader the key of the run that may read it
	 * @return the content
	 */
	Content<C> content(ObjectKey reader) {
		// Call this before taking the snapshot, which then contains all of these writes.
		Runnable read = this.cache.showing(reader);
		return new Content<>(this, this.cache.snapshot(), read);
	}

	/**
	 * Content of the cache at one moment.
	 *
	 * @param <C> the model class
	 * @param source the cache
	 * @param snapshot the content of the cache with the writes of runs
	 * @param read notes that the content is read
	 */
	record Content<C extends KubernetesObject>(OwnedSource<C> source, OverlaidSnapshot<C> snapshot, Runnable read) {

		Owned<C> ownedBy(ObjectKey primary, String uid) {
			this.read.run();
			List<C> named = this.snapshot.byIndex(INDEX, uid);
			named.removeIf((object) -> !isOwner(present(object), primary, uid));
			return this.snapshot.isReadable() ? Owned.of(named) : Owned.of(named, () -> quarantined(primary, uid));
		}

		// The owners of a quarantined object come from its metadata.
		private KubernetesObject present(C cached) {
			UnreadableObject unreadable = this.snapshot.isReadable() ? null
					: this.snapshot.unreadable(ObjectKey.of(cached));
			return (unreadable != null) ? unreadable.metadata() : cached;
		}

		private boolean isOwner(KubernetesObject object, ObjectKey primary, String uid) {
			return this.source.references.isOwner(object, primary, uid, this.source.controllerOnly);
		}

		@SuppressWarnings("unchecked") // This is metadata of an object of this cache.
		private List<Metadata<C>> quarantined(ObjectKey primary, String uid) {
			return this.snapshot.unreadable()
				.filter((each) -> isOwner(each.metadata(), primary, uid))
				.map((each) -> (Metadata<C>) each.metadata())
				.toList();
		}

	}

}
