package dev.kubeinformer.internal.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;

import kotlinx.collections.immutable.ExtensionsKt;
import kotlinx.collections.immutable.PersistentMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.internal.text.PrintableText;
import dev.kubeinformer.internal.text.ResourceVersions;
import dev.kubeinformer.types.ObjectKey;

/**
 * The cache of one informer: a volatile reference to an immutable snapshot. Readers take
 * the reference; writers change it under one short lock, and give every change to the
 * sinks before the lock is released, so that all sinks see all changes in one order.
 * <p>
 * The store is divided into partitions, one for each namespace that is watched on its
 * own, or a single one named by the empty string. A partition has one writer, which
 * belongs to one life of it: writers of an earlier one are refused.
 *
 * @param <T> the model class
 */
public final class ObjectStore<T> {

	private static final Logger logger = LoggerFactory.getLogger(ObjectStore.class);

	private static final int RESYNC_BATCH = 64;

	private final ReentrantLock lock = new ReentrantLock();

	/** Held while indexes are added; user code runs under it, never under the other. */
	private final ReentrantLock indexing = new ReentrantLock();

	private final List<DeltaSink<T>> sinks = new CopyOnWriteArrayList<>();

	/** The partitions and the present life of each. Guarded by the lock. */
	private final Map<String, Integer> epochs = new HashMap<>();

	/** The partitions without a full state. Guarded by the lock. */
	private final Set<String> unlisted = new HashSet<>();

	/** Guarded by the lock. */
	private final SnapshotWaiters<T> waiters = new SnapshotWaiters<>();

	private volatile IndexFunctions<T> indexFunctions;

	private volatile StoreSnapshot<T> snapshot;

	private volatile boolean fullState;

	/** The youngest life of any partition. Guarded by the lock. */
	private int youngest;

	/**
	 * Creates an empty store.
	 * @param partitions the namespaces that are watched on their own, or only the empty
	 * string for the whole cluster
	 */
	public ObjectStore(Set<String> partitions) {
		partitions.forEach((partition) -> this.epochs.put(partition, this.youngest));
		this.unlisted.addAll(partitions);
		this.indexFunctions = new IndexFunctions<>(Map.of(),
				(name, key, cause) -> logger.warn(
						"Index function '{}' failed for '{}': {}; the object is left out of it", name,
						PrintableText.of(key.toString()), cause.getClass().getName()));
		PersistentMap<String, String> versions = ExtensionsKt.persistentHashMapOf();
		for (String partition : partitions) {
			versions = versions.put(partition, "");
		}
		this.snapshot = new StoreSnapshot<>(Namespaces.none(), 0, Map.of(), versions);
	}

	/**
	 * Content at this moment.
	 * @return the snapshot
	 */
	public StoreSnapshot<T> snapshot() {
		return this.snapshot;
	}

	/**
	 * Replaces the content of a partition by that of a list, as one change: objects of
	 * equal UID and version stay as they are and nobody hears of them, another UID under
	 * the same key is a deletion and an addition, and what is missing is deleted.
	 * Deletions are given to the sinks first.
	 * @param epoch what {@link #epoch(String)} was when the writer began
	 * @param partition the partition
	 * @param objects the objects of the list
	 * @param unreadable identities of objects that are in the list and could not be read:
	 * one that is cached stays, unless its UID says that it was recreated
	 * @param keepMissing whether objects that are missing stay, because the list held an
	 * object of which not even the key could be read
	 * @param resourceVersion the version of the list
	 * @param regression whether the list is older than what was seen before and taken all
	 * the same: then versions prove nothing, and objects are compared by content
	 */
	public void replace(int epoch, String partition, Collection<StoredObject<T>> objects,
			Collection<UnreadableObject> unreadable, boolean keepMissing, String resourceVersion, boolean regression) {
		Map<StoredObject<T>, StoredObject<T>> indexed = new IdentityHashMap<>();
		write(epoch, partition, objects, indexed, () -> {
			SnapshotBuilder<T> builder = new SnapshotBuilder<>(this.snapshot);
			Replacement<T> replacement = new Replacement<>(this.snapshot, partition, objects, regression,
					!this.fullState);
			if (!keepMissing) {
				replacement.removeMissing(builder, unreadable);
			}
			replacement.putListed(builder, indexed);
			builder.version(partition, resourceVersion);
			publish(builder, replacement.deletes(), replacement.changes());
			settle(partition);
		});
	}

	/**
	 * Stores an object that was added or changed. One that is not newer than the cached
	 * version of the same object is ignored.
	 * @param epoch what {@link #epoch(String)} was when the writer began
	 * @param partition the partition
	 * @param received the object
	 * @param version the version that the partition then has
	 */
	public void put(int epoch, String partition, StoredObject<T> received, String version) {
		Map<StoredObject<T>, StoredObject<T>> indexed = new IdentityHashMap<>(1);
		write(epoch, partition, List.of(received), indexed, () -> {
			StoredObject<T> object = indexed.getOrDefault(received, received);
			StoredObject<T> before = this.snapshot.find(object.namespace(), object.name());
			SnapshotBuilder<T> builder = new SnapshotBuilder<>(this.snapshot);
			builder.version(partition, version);
			if (before != null && before.isSameObjectAs(object) && !isNewer(object, before)) {
				publish(builder, List.of(), List.of());
				return;
			}
			builder.put(object);
			if (before == null) {
				publish(builder, List.of(), List.of(Delta.added(object, false)));
			}
			else if (before.isSameObjectAs(object)) {
				publish(builder, List.of(), List.of(Delta.updated(before, object, false)));
			}
			else {
				publish(builder, List.of(Delta.deleted(before, true, false)), List.of(Delta.added(object, false)));
			}
		});
	}

	private boolean isNewer(StoredObject<T> object, StoredObject<T> before) {
		return object.resourceVersion().isEmpty() || before.resourceVersion().isEmpty()
				|| (!object.resourceVersion().equals(before.resourceVersion())
						&& !ResourceVersions.isOlder(object.resourceVersion(), before.resourceVersion()));
	}

	/**
	 * Removes an object that was deleted or left the selection.
	 * @param epoch what {@link #epoch(String)} was when the writer began
	 * @param partition the partition
	 * @param deleted the object
	 * @param lastState its last state; {@code null} if it could not be read, or if the
	 * cached state shall be told
	 * @param finalStateUnknown whether the cached state may not be the last one
	 * @param version the version that the partition then has
	 */
	public void remove(int epoch, String partition, DeletedObject deleted, @Nullable StoredObject<T> lastState,
			boolean finalStateUnknown, String version) {
		write(epoch, partition, List.of(), Map.of(), () -> {
			SnapshotBuilder<T> builder = new SnapshotBuilder<>(this.snapshot);
			builder.version(partition, version);
			StoredObject<T> before = this.snapshot.find(deleted.key().namespace(), deleted.key().name());
			if (before == null || isOfAPredecessor(deleted, before)) {
				publish(builder, List.of(), List.of());
				return;
			}
			builder.remove(before);
			boolean other = lastState != null && !before.isSameObjectAs(lastState);
			publish(builder, List.of(new Delta<>(Delta.Kind.DELETED, before, null, other ? null : lastState, false,
					finalStateUnknown || other)), List.of());
		});
	}

	private boolean isOfAPredecessor(DeletedObject deleted, StoredObject<T> cached) {
		return !deleted.uid().isEmpty() && !deleted.uid().equals(cached.uid())
				&& ResourceVersions.isOlder(deleted.resourceVersion(), cached.resourceVersion());
	}

	/**
	 * Moves the version of a partition, as a bookmark does.
	 * @param epoch what {@link #epoch(String)} was when the writer began
	 * @param partition the partition
	 * @param version the version that it then has
	 */
	public void advance(int epoch, String partition, String version) {
		write(epoch, partition, List.of(), Map.of(), () -> {
			SnapshotBuilder<T> builder = new SnapshotBuilder<>(this.snapshot);
			builder.version(partition, version);
			publish(builder, List.of(), List.of());
		});
	}

	// The first list of a partition is not awaited any more.
	private void settle(String partition) {
		this.unlisted.remove(partition);
		if (this.unlisted.isEmpty() && !this.fullState) {
			this.fullState = true;
			try {
				this.sinks.forEach(DeltaSink::initialStateComplete);
			}
			catch (RuntimeException | Error ex) {
				// The next list completes it for those that do not know yet.
				this.fullState = false;
				throw ex;
			}
		}
	}

	/**
	 * Adds a partition. If the store holds a full state it stays so, and what the new
	 * partition brings is told as any change; otherwise its first list is awaited too.
	 * @param partition the partition
	 * @return whether it was not there
	 */
	public boolean addPartition(String partition) {
		this.lock.lock();
		try {
			if (this.epochs.containsKey(partition)) {
				return false;
			}
			this.epochs.put(partition, ++this.youngest);
			this.unlisted.add(partition);
			SnapshotBuilder<T> builder = new SnapshotBuilder<>(this.snapshot);
			builder.version(partition, "");
			publish(builder, List.of(), List.of());
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Removes a partition and what it holds. Its writers are refused from then on, also
	 * if it is added again.
	 * @param partition the partition
	 */
	public void removePartition(String partition) {
		this.lock.lock();
		try {
			SnapshotBuilder<T> builder = new SnapshotBuilder<>(this.snapshot);
			List<Delta<T>> deletes = new ArrayList<>();
			this.snapshot.iterator(partition).forEachRemaining((stored) -> {
				deletes.add(Delta.deleted(stored, true, false));
				builder.remove(stored);
			});
			builder.forgetVersion(partition);
			publish(builder, deletes, List.of());
			// Not before: a removal that fails can be repeated.
			this.epochs.remove(partition);
			settle(partition);
			this.waiters.end(partition);
			this.waiters.check(this.snapshot);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Forgets that a full state was there, and keeps the objects: the next replacement of
	 * every partition is told as an initial state again, by its differences.
	 */
	public void awaitFullStateAgain() {
		this.lock.lock();
		try {
			this.youngest++;
			this.epochs.replaceAll((partition, epoch) -> this.youngest);
			this.unlisted.addAll(this.epochs.keySet());
			this.fullState = false;
			this.waiters.open();
			this.sinks.forEach(DeltaSink::initialStateReset);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Number of a partition's present life. Writers of an earlier one are refused.
	 * @param partition the partition
	 * @return the number
	 * @throws IllegalArgumentException if there is no such partition
	 */
	public int epoch(String partition) {
		this.lock.lock();
		try {
			Integer epoch = this.epochs.get(partition);
			if (epoch == null) {
				throw new IllegalArgumentException("There is no partition '%s'".formatted(partition));
			}
			return epoch;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Whether every partition holds a full state, those that were added afterwards
	 * excepted.
	 * @return whether the store is synced
	 */
	public boolean hasFullState() {
		return this.fullState;
	}

	/**
	 * Waits until the content is as wanted.
	 * @param partition the partition that the condition is about; {@code null} for all
	 * @param condition says whether it is as wanted; called under the lock at each
	 * change: it must neither block nor call user code
	 * @param timeout how long to wait at most
	 * @return whether it was so; {@code false} also if {@link #endWaits()} came first or
	 * there is no such partition any more
	 * @throws InterruptedException if the thread is interrupted
	 */
	public boolean await(@Nullable String partition, Predicate<StoreSnapshot<T>> condition, Duration timeout)
			throws InterruptedException {
		SnapshotWaiters.Waiter<T> waiter = new SnapshotWaiters.Waiter<>(partition, condition);
		this.lock.lock();
		try {
			this.waiters.add(waiter, this.snapshot);
			if (partition != null && !this.epochs.containsKey(partition)) {
				this.waiters.end(partition);
			}
		}
		finally {
			this.lock.unlock();
		}
		try {
			return waiter.await(timeout);
		}
		finally {
			this.lock.lock();
			try {
				this.waiters.remove(waiter);
			}
			finally {
				this.lock.unlock();
			}
		}
	}

	/**
	 * Waits until a partition holds a full state.
	 * @param partition the partition
	 * @param timeout how long to wait at most
	 * @return whether it does; {@code false} also if {@link #endWaits()} came first or
	 * there is no such partition any more
	 * @throws InterruptedException if the thread is interrupted
	 */
	public boolean awaitFullState(String partition, Duration timeout) throws InterruptedException {
		return await(partition, (snapshot) -> this.epochs.containsKey(partition) && !this.unlisted.contains(partition),
				timeout);
	}

	/**
	 * Waits until every partition holds a full state, those that were added afterwards
	 * excepted.
	 * @param timeout how long to wait at most
	 * @return whether they do; {@code false} also if {@link #endWaits()} came first
	 * @throws InterruptedException if the thread is interrupted
	 */
	public boolean awaitFullState(Duration timeout) throws InterruptedException {
		return await(null, (snapshot) -> this.fullState, timeout);
	}

	/**
	 * Wakes all who wait: nothing changes any more before {@link #awaitFullStateAgain()}.
	 */
	public void endWaits() {
		this.lock.lock();
		try {
			this.waiters.close();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Wakes all who wait now; whoever comes later waits for the next full state.
	 */
	public void wakeWaits() {
		this.lock.lock();
		try {
			if (!this.waiters.isClosed()) {
				this.waiters.close();
				this.waiters.open();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Adds a sink. It is given the present objects as initial additions, and then every
	 * change, with no gap and no duplicate.
	 * @param sink the sink
	 */
	public void addSink(DeltaSink<T> sink) {
		this.lock.lock();
		try {
			Iterator<StoredObject<T>> present = this.snapshot.iterator();
			while (present.hasNext()) {
				sink.delta(Delta.added(present.next(), true));
			}
			this.sinks.add(sink);
			if (this.fullState) {
				sink.initialStateComplete();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Removes a sink; it is given no more changes once this returns.
	 * @param sink the sink
	 */
	public void removeSink(DeltaSink<T> sink) {
		this.lock.lock();
		try {
			this.sinks.remove(sink);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Gives a sink the stored state of objects whose resync is due. The lock is released
	 * between small batches.
	 * @param sink the sink
	 * @param keys the keys; those that are not stored any more are passed over
	 */
	public void resync(DeltaSink<T> sink, List<ObjectKey> keys) {
		for (int from = 0; from < keys.size(); from += RESYNC_BATCH) {
			this.lock.lock();
			try {
				for (ObjectKey key : keys.subList(from, Math.min(keys.size(), from + RESYNC_BATCH))) {
					StoredObject<T> stored = this.snapshot.find(key.namespace(), key.name());
					if (stored != null) {
						sink.resync(stored);
					}
				}
			}
			finally {
				this.lock.unlock();
			}
		}
	}

	/**
	 * Keys of all objects at this moment. It keeps no object alive.
	 * @return the keys
	 */
	public List<ObjectKey> keys() {
		StoreSnapshot<T> current = this.snapshot;
		List<ObjectKey> keys = new ArrayList<>(current.size());
		current.iterator().forEachRemaining((stored) -> keys.add(stored.key()));
		return keys;
	}

	/**
	 * Custom index functions by name.
	 * @return an unmodifiable map
	 */
	public Map<String, Function<T, List<String>>> indexers() {
		return this.indexFunctions.asMap();
	}

	/**
	 * Adds custom index functions, before or after objects are there. They run outside
	 * the lock, over the objects present and over each object that arrives.
	 * @param added the functions by name
	 * @throws IllegalArgumentException if there is an index of that name
	 */
	public void addIndexers(Map<String, Function<T, List<String>>> added) {
		this.indexing.lock();
		try {
			IndexFunctions<T> next = this.indexFunctions.and(added);
			StoreSnapshot<T> present = publishFunctions(next);
			// What is stored from here on comes with the values of the new functions.
			Map<StoredObject<T>, StoredObject<T>> indexed = new IdentityHashMap<>();
			present.iterator().forEachRemaining((stored) -> indexed.put(stored, next.apply(stored)));
			addIndexes(added.keySet(), indexed);
		}
		finally {
			this.indexing.unlock();
		}
	}

	private StoreSnapshot<T> publishFunctions(IndexFunctions<T> next) {
		this.lock.lock();
		try {
			this.indexFunctions = next;
			return this.snapshot;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void addIndexes(Set<String> names, Map<StoredObject<T>, StoredObject<T>> indexed) {
		this.lock.lock();
		try {
			List<StoredObject<T>> all = new ArrayList<>(this.snapshot.size());
			this.snapshot.iterator().forEachRemaining((stored) -> all.add(indexed.getOrDefault(stored, stored)));
			SnapshotBuilder<T> builder = new SnapshotBuilder<>(this.snapshot);
			all.forEach(builder::put);
			names.forEach((name) -> builder.addIndex(name, all));
			this.snapshot = builder.build();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Runs a change under the lock, after the index functions ran over the objects
	 * outside of it. If functions were added meanwhile, they run again.
	 * @param epoch the life of the partition that the writer belongs to
	 * @param partition the partition
	 * @param objects the objects that the change brings
	 * @param indexed receives the objects with their index values; untouched if there is
	 * no index function
	 * @param change the change
	 */
	private void write(int epoch, String partition, Collection<StoredObject<T>> objects,
			Map<StoredObject<T>, StoredObject<T>> indexed, Runnable change) {
		while (true) {
			IndexFunctions<T> functions = this.indexFunctions;
			if (!functions.asMap().isEmpty()) {
				StoreSnapshot<T> present = this.snapshot;
				objects.stream()
					// What is stored has its values.
					.filter((object) -> present.find(object.namespace(), object.name()) != object)
					.forEach((object) -> indexed.put(object, functions.apply(object)));
			}
			this.lock.lock();
			try {
				if (!Objects.equals(this.epochs.get(partition), epoch)) {
					return;
				}
				if (this.indexFunctions == functions) {
					change.run();
					this.waiters.check(this.snapshot);
					return;
				}
			}
			finally {
				this.lock.unlock();
			}
		}
	}

	private void publish(SnapshotBuilder<T> builder, List<Delta<T>> deletes, List<Delta<T>> changes) {
		StoreSnapshot<T> before = this.snapshot;
		this.snapshot = builder.build();
		try {
			for (DeltaSink<T> sink : this.sinks) {
				deletes.forEach(sink::delta);
				changes.forEach(sink::delta);
			}
		}
		catch (RuntimeException | Error ex) {
			// As if nothing had come: the writer lists again, and a change that did not
			// reach every sink, such as for want of memory, is a difference once more.
			this.snapshot = before;
			throw ex;
		}
	}

}
