package dev.kubeinformer.internal.informer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.KnownObjects;
import dev.kubeinformer.internal.codec.ObjectMetadata;
import dev.kubeinformer.internal.codec.WatchFrame;
import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.reflector.Listing;
import dev.kubeinformer.internal.reflector.ReflectorSink;
import dev.kubeinformer.internal.slots.SlotPredicate;
import dev.kubeinformer.internal.status.InformerNotices;
import dev.kubeinformer.internal.status.Quarantine;
import dev.kubeinformer.internal.status.ShardTracker;
import dev.kubeinformer.internal.status.StatusTracker;
import dev.kubeinformer.internal.store.DeletedObject;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.store.PartitionWriter;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.internal.store.UnchangedObjects;
import dev.kubeinformer.internal.store.UnreadableObject;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.WatchEndReason;
import dev.kubeinformer.types.WatchEventType;

/**
 * Passes the lists and events of one reflector through the transform into the store. An
 * object that cannot be decoded or transformed is quarantined: it counts as existing, and
 * other objects are not affected. Used by the reflector's thread only.
 *
 * @param <T> the model class
 */
final class PartitionSink<T extends KubernetesObject> implements ReflectorSink<T> {

	private final String partition;

	private final ObjectStore<T> store;

	private final StatusTracker status;

	private final InformerNotices notices;

	private final ObjectPreparation<T> preparation;

	private final Quarantine quarantine;

	/** Writer of the current epoch; the store rejects it once the partition restarts. */
	private final PartitionWriter<T> writer;

	private boolean compareContent;

	/**
	 * Cached objects that the list in progress confirmed; {@code null} while every item
	 * is decoded.
	 */
	private @Nullable ListedAgain<T> unchanged;

	/** Whether a list was passed to the store, which may have rejected it. */
	private volatile boolean replacing;

	/** Whether every cached object was produced by the current transform. */
	private volatile boolean passed;

	private volatile boolean ended;

	/** Number of objects of the list in progress that belong to other shards. */
	private long foreign;

	PartitionSink(String partition, InformerSpec<T> spec, ObjectStore<T> store, StatusTracker status,
			InformerNotices notices, PartitionTransform transform) {
		this.writer = store.writer(partition);
		this.compareContent = transform.unproven();
		this.partition = partition;
		this.store = store;
		this.status = status;
		this.notices = notices;
		this.preparation = new ObjectPreparation<>(spec.type().objectClass(), transform.function());
		this.quarantine = new Quarantine(partition, spec.type(), transform.function() != null, status);
	}

	/**
	 * Makes the sink compare the objects of the next full state by their content, even if
	 * their versions are equal.
	 */
	void compareContent() {
		this.compareContent = true;
	}

	/**
	 * Ignores all further input, so that a reflector that ends late does not disturb the
	 * reflector that replaces it.
	 */
	void end() {
		this.ended = true;
	}

	/**
	 * Returns the transform that produced the content of the partition. Called once the
	 * store rejects writes of this sink.
	 * @param before the transform that produced the content before this sink began;
	 * {@code null} if the partition was empty
	 * @return the transform; {@code null} if the partition is empty
	 */
	@Nullable PartitionTransform passed(@Nullable PartitionTransform before) {
		return this.replacing ? new PartitionTransform(this.preparation.transform(), !this.passed) : before;
	}

	@Override
	public @Nullable KnownObjects begin(boolean compareContent) {
		this.foreign = 0;
		boolean proven = !compareContent && !this.compareContent && this.store.snapshot().size(this.partition) > 0;
		this.unchanged = proven ? new ListedAgain<>(new UnchangedObjects<>(this.store.snapshot(), this.partition))
				: null;
		return this.unchanged;
	}

	@Override
	public DecodedObject<T> listed(DecodedObject<T> decoded, boolean compareContent) {
		ObjectMetadata metadata = decoded.metadata();
		T object = decoded.object();
		StoredObject<T> known = this.store.snapshot().find(metadata.namespace(), metadata.name());
		if (object == null || known == null || !known.isVersion(metadata.uid(), metadata.resourceVersion())) {
			return decoded;
		}
		boolean proven = !compareContent && !this.compareContent;
		if (!proven && (this.preparation.transform() != null || !known.hasContent(object))) {
			return decoded;
		}
		return new DecodedObject<>(
				new ObjectMetadata(known.namespace(), known.name(), known.uid(), known.resourceVersion()),
				known.object(), null);
	}

	@Override
	public void foreign() {
		ShardTracker sharding = this.status.sharding();
		if (sharding != null && !this.ended) {
			this.foreign++;
			sharding.listedForeign();
		}
	}

	@Override
	public boolean replace(List<DecodedObject<T>> objects, Listing listing) {
		if (this.ended) {
			return false;
		}
		UnchangedObjects<T> known = (this.unchanged != null) ? this.unchanged.objects() : null;
		this.unchanged = null;
		int count = objects.size() + ((known != null) ? known.size() : 0);
		this.quarantine.clear();
		Prepared<T> list = prepare(objects);
		this.replacing = true;
		// Report the list first: a thread that waited for the sync must find the status
		// complete.
		this.status.listed(listing.reason(), count, listing.duration());
		judgeShard(listing, count, list.readable(), known, this.foreign);
		this.quarantine.report("list");
		boolean changed = this.writer.replace(list.readable(), known, list.unreadable(), list.nameless(),
				listing.resourceVersion(), listing.compareContent() || this.compareContent, listing.slots());
		evictForeign();
		this.compareContent = false;
		// An unreadable object has no cached version, so it is transformed once it can be
		// read.
		this.passed |= !this.ended;
		if (this.store.hasFullState()) {
			this.status.synced();
		}
		noteProblems(list);
		return changed;
	}

	@Override
	public void gained(List<DecodedObject<T>> objects, Listing listing, long dropped) {
		if (this.ended) {
			return;
		}
		int count = objects.size();
		Prepared<T> list = prepare(objects);
		this.status.listed(listing.reason(), count, listing.duration());
		ShardTracker sharding = this.status.sharding();
		if (sharding != null) {
			sharding.listedForeign(dropped);
		}
		judgeShard(listing, count, list.readable(), null, dropped);
		this.quarantine.report("list");
		this.writer.replace(list.readable(), null, list.unreadable(), list.nameless(), listing.resourceVersion(), false,
				listing.slots());
		evictForeign();
		if (this.store.hasFullState()) {
			this.status.synced();
		}
		noteProblems(list);
	}

	@Override
	public void nothingHeld() {
		if (!this.ended) {
			this.replacing = true;
			this.passed = true;
			this.writer.nothingHeld();
			if (this.store.hasFullState()) {
				this.status.synced();
			}
		}
	}

	/**
	 * Forgets the quarantined objects of slots that were lost. Called by any thread.
	 * @param lost the slots
	 */
	void evicted(SlotPredicate lost) {
		if (!this.ended) {
			this.quarantine.evict(lost);
		}
	}

	/**
	 * Forgets the quarantined objects of slots that were lost while their list was read.
	 */
	private void evictForeign() {
		evicted((namespace, uid) -> !this.store.isHeld(namespace, uid));
	}

	private Prepared<T> prepare(List<DecodedObject<T>> objects) {
		List<StoredObject<T>> readable = new ArrayList<>(objects.size());
		List<UnreadableObject> unreadable = new ArrayList<>();
		boolean nameless = false;
		DecodedObject<T> taken = new DecodedObject<>(new ObjectMetadata("", "", "", ""), null, null);
		for (int i = 0; i < objects.size(); i++) {
			// Release the decoded object as soon as it is prepared: a relist must not
			// hold both copies.
			DecodedObject<T> decoded = objects.set(i, taken);
			StoredObject<T> cached = cached(decoded);
			DecodedObject<T> prepared = (cached != null) ? decoded : this.preparation.prepare(decoded);
			if (prepared.object() != null) {
				readable
					.add((cached != null) ? cached : ObjectPreparation.stored(prepared.metadata(), prepared.object()));
			}
			else if (prepared.problem() != null) {
				nameless |= !decoded.metadata().hasName();
				unreadable.add(this.quarantine.add(decoded.metadata(), prepared.problem(), prepared.remains()));
			}
		}
		objects.clear();
		return new Prepared<>(readable, unreadable, nameless);
	}

	private void noteProblems(Prepared<T> list) {
		int problems = list.unreadable().size();
		if (problems > 0) {
			this.notices.add((listener, informer) -> listener.unreadable(informer, problems));
		}
	}

	private void judgeShard(Listing listing, int count, List<StoredObject<T>> readable,
			@Nullable UnchangedObjects<T> known, long dropped) {
		ShardTracker sharding = this.status.sharding();
		if (sharding != null) {
			Set<String> namespaces = new HashSet<>();
			readable.forEach((object) -> namespaces.add(object.namespace()));
			if (known != null && known.size() == this.store.snapshot().size()) {
				namespaces.addAll(this.store.snapshot().namespaces());
			}
			sharding.listed(this.partition, listing, new ShardTracker.Received(count, namespaces, dropped));
		}
	}

	@Override
	public void notifyListeners() {
		if (!this.ended) {
			this.notices.deliver();
		}
	}

	@Override
	public void regressed(String resourceVersion, String newestSeen) {
		if (!this.ended) {
			this.status.regressed(resourceVersion, newestSeen);
		}
	}

	@Override
	public void apply(WatchFrame<T> frame, String resourceVersion) {
		DecodedObject<T> decoded = frame.object();
		if (this.ended || decoded == null) {
			return;
		}
		if (decoded.isForeign()) {
			drop(frame.type(), decoded, resourceVersion);
		}
		else {
			received(frame.type());
			apply(frame, decoded, resourceVersion);
		}
		this.notices.deliver();
	}

	// Returns whether an event is about a state before the cached one. Such an event is
	// ignored and its object is not transformed: the event must not end the quarantine of
	// a later state, or remove that state because a transform drops the object.
	private boolean isOutdated(WatchEventType type, ObjectMetadata metadata) {
		return metadata.hasName()
				&& ((type == WatchEventType.DELETED) ? this.writer.isOfAPredecessor(identity(metadata))
						: this.writer.isOutdated(metadata.key(), metadata.resourceVersion()));
	}

	// Returns whether an event is about a lost slot, or shows a state that the list of
	// its slot has already shown. A slot may be lost after the watch was opened.
	private boolean isRepeated(WatchEventType type, ObjectMetadata metadata) {
		return type != WatchEventType.DELETED && metadata.hasName()
				&& !this.writer.isNews(metadata.key(), metadata.uid(), metadata.resourceVersion());
	}

	private void received(WatchEventType type) {
		if (this.notices.hasListeners()) {
			this.notices.publish((listener, informer) -> listener.eventReceived(informer, type));
		}
	}

	private void apply(WatchFrame<T> frame, DecodedObject<T> decoded, String resourceVersion) {
		if (isOutdated(frame.type(), decoded.metadata()) || isRepeated(frame.type(), decoded.metadata())) {
			this.writer.advance(resourceVersion);
			return;
		}
		if (frame.type() == WatchEventType.DELETED) {
			remove(decoded, resourceVersion);
			return;
		}
		DecodedObject<T> prepared = this.preparation.prepare(decoded);
		if (prepared.problem() != null) {
			UnreadableObject unreadable = this.quarantine.add(decoded.metadata(), prepared.problem(),
					prepared.remains());
			if (decoded.metadata().hasName()) {
				this.writer.quarantine(unreadable, resourceVersion);
			}
			else {
				this.writer.advance(resourceVersion);
			}
			this.quarantine.report("watch");
			this.notices.add((listener, informer) -> listener.unreadable(informer, 1));
			return;
		}
		this.quarantine.release(decoded.metadata());
		if (prepared.object() != null) {
			this.writer.put(ObjectPreparation.stored(prepared.metadata(), prepared.object()), resourceVersion);
		}
		else {
			this.writer.remove(identity(decoded.metadata()), null, false, resourceVersion);
		}
	}

	/**
	 * Handles an event about an object of another shard. The event is not delivered. But
	 * if the cache has an object of the same name, this object must have been deleted
	 * before.
	 * @param type the type of the event
	 * @param decoded the identity of the object
	 * @param resourceVersion the version of the cache after the event
	 */
	private void drop(WatchEventType type, DecodedObject<T> decoded, String resourceVersion) {
		ShardTracker sharding = this.status.sharding();
		if (sharding != null) {
			sharding.watchedForeign(this.partition);
		}
		if (type == WatchEventType.DELETED || isOutdated(type, decoded.metadata())) {
			this.writer.advance(resourceVersion);
			return;
		}
		this.quarantine.release(decoded.metadata());
		this.writer.remove(identity(decoded.metadata()), null, true, resourceVersion);
	}

	private void remove(DecodedObject<T> decoded, String resourceVersion) {
		boolean unread = this.quarantine.release(decoded.metadata());
		if (!decoded.metadata().hasName()) {
			this.writer.advance(resourceVersion);
			return;
		}
		T last = decoded.object();
		// The transform has not seen the server's last state. So if there is a transform,
		// the cached state is delivered.
		StoredObject<T> lastState = (last != null && this.preparation.transform() == null)
				? ObjectPreparation.stored(decoded.metadata(), last) : null;
		boolean unknown = last == null || (lastState == null && unread);
		this.writer.remove(identity(decoded.metadata()), lastState, unknown, resourceVersion);
	}

	// A cached object was transformed when it arrived.
	private @Nullable StoredObject<T> cached(DecodedObject<T> decoded) {
		StoredObject<T> known = this.store.snapshot().find(decoded.metadata().namespace(), decoded.metadata().name());
		return (known != null && known.object() == decoded.object()) ? known : null;
	}

	private static DeletedObject identity(ObjectMetadata metadata) {
		return new DeletedObject(metadata.key(), metadata.uid(), metadata.resourceVersion());
	}

	@Override
	public void advance(String resourceVersion) {
		if (!this.ended) {
			received(WatchEventType.BOOKMARK);
			this.writer.advance(resourceVersion);
		}
	}

	@Override
	public void watchStarted() {
		if (!this.ended) {
			this.status.watchStarted(this.partition);
			this.notices.deliver();
		}
	}

	@Override
	public void watchEnded(WatchEndReason cause, Duration lived) {
		ShardTracker sharding = this.status.sharding();
		if (sharding != null && (cause == WatchEndReason.UNREACHABLE || cause == WatchEndReason.BROKEN)) {
			sharding.serverLost(this.partition);
		}
		if (!this.ended) {
			this.status.watchEnded(cause, lived);
			this.notices.deliver();
		}
	}

	@Override
	public void alive() {
		this.status.alive();
	}

	@Override
	public void condition(InformerState condition) {
		if (!this.ended) {
			this.status.condition(this.partition, condition, this.store.snapshot());
		}
	}

	@Override
	public void fellBack(@Nullable Integer httpStatus) {
		if (!this.ended) {
			this.status.listsInPages(httpStatus);
		}
	}

	@Override
	public void failed(String verb, Failure failure, @Nullable String next, Duration duration) {
		if (!this.ended) {
			this.status.failed(verb, failure, next, duration);
			this.notices.deliver();
		}
	}

	/**
	 * Objects of a list in their cached form.
	 *
	 * @param <T> the model class
	 * @param readable the readable objects
	 * @param unreadable the objects that cannot be read or transformed
	 * @param nameless whether at least one unreadable object has no name
	 */
	private record Prepared<T>(List<StoredObject<T>> readable, List<UnreadableObject> unreadable, boolean nameless) {

	}

}
