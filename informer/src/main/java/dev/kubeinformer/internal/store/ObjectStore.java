package dev.kubeinformer.internal.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;

import kotlinx.collections.immutable.ExtensionsKt;
import kotlinx.collections.immutable.PersistentMap;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.slots.HeldSlots;
import dev.kubeinformer.internal.slots.ListedSlots;
import dev.kubeinformer.internal.slots.SlotPredicate;
import dev.kubeinformer.internal.slots.SlotTable;
import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.Slots;

/**
 * Cache of one informer. Its readers, its sinks (handlers and reconcilers, which receive
 * each change) and the callers that wait for a change share one state of a resource.
 * <p>
 * <b>Problem.</b> Thousands of reads a second must not wait for a list of 100,000
 * objects, and must not see half of it. Handlers, reconcilers and waits for writes must
 * each see every change once and in the same order, whenever they start or end. User code
 * (index functions, comparisons) may be slow or throw.
 * <p>
 * <b>Idea.</b> One volatile reference to an immutable {@link StoreSnapshot}. Readers take
 * the reference and no lock. A writer builds the next snapshot, which shares all
 * unchanged pages, and publishes it under one short lock. Under the same lock the sinks
 * receive the change and satisfied waits end, so all of them see the same order.
 * <p>
 * <b>Invariants.</b>
 * <ul>
 * <li>A partition (a namespace that is watched on its own, or the empty string for the
 * whole cluster) has one writer, which belongs to one epoch of the partition. The store
 * rejects writers of an earlier epoch: a reflector that ends late cannot change the store
 * of its successor.</li>
 * <li>If a sink fails, the snapshot is rolled back: the writer lists again, and changes
 * that did not reach every sink become differences again. So a sink may receive the same
 * change twice.</li>
 * <li>{@code fullState} is true from the first list of all partitions until the informer
 * stops; a partition that is added later does not reset it, and the objects of this
 * partition are not an initial state.</li>
 * <li>User code runs outside the lock. Index functions run over the new objects before
 * the lock is acquired, and again if functions were added meanwhile.</li>
 * <li>Sinks and the callbacks of waits run under the lock: they neither block nor call
 * user code.</li>
 * </ul>
 * <b>Rejected alternatives.</b> The first versions held all objects in a general
 * persistent map (kotlinx-collections-immutable, Paguro, Vavr and PCollections were
 * compared). A read misses the processor's cache once on each level of that map, so
 * {@link ObjectTable} replaced it; the map still holds namespaces and indexes. A relist
 * kept a second hash table of the unchanged objects; {@link UnchangedObjects} needs one
 * bit for each object. A resync copied all keys in each period; {@link StoreWalk} holds
 * one name.
 * <p>
 * <b>Cost.</b> A read by name takes 0.08 &micro;s at 1 000 objects and 0.4 &micro;s at
 * 200 000, where it waits for memory; a {@code ConcurrentHashMap}, which has no
 * snapshots, takes about half. A change copies the page of its object. A relist of
 * unchanged objects needs an additional 0.1 % of the cache's memory. See the pages
 * Performance and {@code benchmarks/README.md}.
 *
 * @param <T> the model class
 */
public final class ObjectStore<T> {

	private static final int RESYNC_BATCH = 64;

	/** Content; read by any thread, changed under the lock. */
	private volatile StoreSnapshot<T> snapshot;

	/** Whether every partition was listed; read by any thread, changed under the lock. */
	private volatile boolean fullState;

	private volatile @Nullable BiPredicate<? super T, ? super T> sameApartFromStatus;

	/** Guards all fields below. */
	private final ReentrantLock lock = new ReentrantLock();

	/** Sinks in the order in which they were added. */
	private final List<DeltaSink<T>> sinks = new CopyOnWriteArrayList<>();

	private final StorePartitions partitions;

	private final SnapshotWaiters<T> waiters = new SnapshotWaiters<>(this.lock);

	private final WriteWaits writes = new WriteWaits();

	private final StoreIndexes<T> indexes = new StoreIndexes<>(this.lock);

	private final ListedSlots listedSlots = new ListedSlots();

	/** Shard slots; {@code null} if the objects are not divided into shard slots. */
	private final @Nullable SlotTable slots;

	/**
	 * Creates an empty store of objects that are not divided into shard slots.
	 * @param partitions the namespaces that are watched on their own, or only the empty
	 * string for the whole cluster
	 */
	public ObjectStore(Set<String> partitions) {
		this(partitions, null);
	}

	/**
	 * Creates an empty store.
	 * @param partitions the namespaces that are watched on their own, or only the empty
	 * string for the whole cluster
	 * @param division the division of the objects into shard slots; {@code null} if they
	 * are not divided
	 */
	public ObjectStore(Set<String> partitions, @Nullable Slots division) {
		this.partitions = new StorePartitions(partitions);
		this.slots = (division != null) ? new SlotTable(division, partitions) : null;
		PersistentMap<String, String> versions = ExtensionsKt.persistentHashMapOf();
		for (String partition : partitions) {
			versions = versions.put(partition, "");
		}
		this.snapshot = new StoreSnapshot<>(Namespaces.none(), 0, Map.of(), versions,
				ExtensionsKt.persistentHashMapOf());
	}

	/**
	 * Returns the content at this moment.
	 * @return the snapshot
	 */
	public StoreSnapshot<T> snapshot() {
		return this.snapshot;
	}

	/**
	 * Returns the shard slots of which this store holds a full state in every partition.
	 * Empty unless the informer's objects are divided into shard slots.
	 * @return the slots, which change over time
	 */
	public ListedSlots listedSlots() {
		return this.listedSlots;
	}

	/**
	 * Returns the shard slots that this process holds.
	 * @return the slots, listed or not; none if the objects are not divided into slots
	 */
	public HeldSlots heldSlots() {
		return (this.slots != null) ? this.slots.held() : HeldSlots.none();
	}

	/**
	 * Returns whether it is known which shard slots this process holds.
	 * @return {@code true} if the slots are known; always {@code true} if the objects are
	 * not divided into slots
	 */
	public boolean isSettled() {
		return this.slots == null || this.slots.isSettled();
	}

	/**
	 * Returns the shard slots of which a partition holds a full state.
	 * @param partition the partition
	 * @return the slots
	 */
	public HeldSlots fullSlots(String partition) {
		this.lock.lock();
		try {
			return (this.slots != null) ? this.slots.full(partition) : HeldSlots.none();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Adds shard slots that this process has gained. Their objects are accepted once a
	 * list of them was stored.
	 * @param gained the slots; slots that are held already do not change
	 */
	public void gainSlots(Set<Integer> gained) {
		locked(() -> slots().gain(gained));
	}

	/** Notes that it is now known which shard slots this process holds. */
	public void settleSlots() {
		locked(() -> {
			slots().settle();
			this.waiters.check(this.snapshot);
		});
	}

	/** Notes that it is not known any more which shard slots this process holds. */
	public void unsettleSlots() {
		locked(() -> slots().unsettle());
	}

	/**
	 * Removes shard slots and their objects, as one change. The objects still exist, so
	 * sinks receive evictions and no deletions.
	 * @param lost the slots
	 */
	public void evictSlots(Set<Integer> lost) {
		SlotTable table = slots();
		// From here on, no object of these slots can be added, so the search for them
		// needs no lock.
		locked(() -> table.release(lost));
		updateListedSlots();
		SlotPredicate isLost = (namespace, uid) -> {
			int slot = table.slotOf(namespace, uid);
			return lost.contains(slot) && !table.held().slots().contains(slot);
		};
		List<StoredObject<T>> found = new ArrayList<>();
		this.snapshot.iterator().forEachRemaining((stored) -> {
			if (isLost.test(stored.namespace(), stored.uid())) {
				found.add(stored);
			}
		});
		locked(() -> {
			evict(found, isLost);
			for (String partition : this.partitions.names()) {
				listed(partition, table.isSettled() && this.partitions.isListing(partition));
			}
			this.waiters.check(this.snapshot);
			if (table.held().isEmpty()) {
				this.writes.releaseAll();
			}
		});
		// The first full state is complete now if only the lost slots were missing.
		updateListedSlots();
	}

	private void evict(List<StoredObject<T>> found, SlotPredicate isLost) {
		SnapshotBuilder<T> builder = new SnapshotBuilder<>(this.snapshot);
		List<StoredObject<T>> evicted = new ArrayList<>(found.size());
		for (StoredObject<T> object : found) {
			StoredObject<T> stored = this.snapshot.find(object.namespace(), object.name());
			if (stored != null && isLost.test(stored.namespace(), stored.uid())) {
				builder.remove(stored);
				evicted.add(stored);
			}
		}
		List<ObjectKey> unreadable = this.snapshot.unreadable()
			.values()
			.stream()
			.filter((each) -> isLost.test(each.key().namespace(), each.uid()))
			.map(UnreadableObject::key)
			.toList();
		unreadable.forEach(builder::forgetUnreadable);
		StoreSnapshot<T> before = this.snapshot;
		this.snapshot = builder.build();
		try {
			for (DeltaSink<T> sink : this.sinks) {
				evicted.forEach(sink::evicted);
				sink.slotsEvicted(isLost);
			}
		}
		catch (RuntimeException | Error ex) {
			// The eviction can be repeated; sinks that have received it receive it again.
			this.snapshot = before;
			throw ex;
		}
		evicted.forEach((object) -> this.writes.release(object.key()));
		unreadable.forEach(this.writes::release);
	}

	/** Publishes the shard slots that are listed now. Called without the lock. */
	void updateListedSlots() {
		SlotTable table = this.slots;
		if (table != null) {
			this.listedSlots.update(() -> {
				this.lock.lock();
				try {
					return this.fullState ? table.full(this.partitions.listed()) : Set.of();
				}
				finally {
					this.lock.unlock();
				}
			});
		}
	}

	/**
	 * Returns the table of the shard slots. Called under the lock, except to use methods
	 * of the table that any thread may call.
	 * @return the slots
	 */
	SlotTable slots() {
		return Objects.requireNonNull(this.slots, "The store has no slots");
	}

	boolean bySlots(Predicate<SlotTable> question) {
		if (this.slots == null) {
			return true;
		}
		this.lock.lock();
		try {
			return question.test(this.slots);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns whether the store shows, or will show, the state of an object. Called under
	 * the lock, for example by the condition of a wait.
	 * @param namespace the namespace, empty for cluster-scoped objects
	 * @param uid the UID, empty if unknown
	 * @return {@code false} if the object belongs to a shard slot of another process
	 */
	public boolean isHeld(String namespace, String uid) {
		int slot = (this.slots != null) ? this.slots.slotOf(namespace, uid) : -1;
		return slot < 0 || heldSlots().slots().contains(slot);
	}

	/**
	 * Returns whether the shard slot to which an object belongs is listed. Called under
	 * the lock, for example by the condition of a wait.
	 * @param partition the partition
	 * @param namespace the namespace, empty for cluster-scoped objects
	 * @param uid the UID, empty if unknown
	 * @return {@code false} if the state of the object is not known yet
	 */
	public boolean isFull(String partition, String namespace, String uid) {
		return bySlots((table) -> {
			int slot = table.slotOf(namespace, uid);
			return (slot < 0) ? table.isFull(partition) : table.full(partition).slots().contains(slot);
		});
	}

	/**
	 * Returns whether every held shard slot is listed in every partition. Called under
	 * the lock, for example by the condition of a wait.
	 * @return {@code false} while it is not known which slots are held, or while a list
	 * of one of them is awaited
	 */
	public boolean areSlotsFull() {
		return bySlots((table) -> table.isSettled() && this.partitions.names().stream().allMatch(table::isFull));
	}

	/**
	 * Returns a writer for the current epoch of a partition.
	 * @param partition the partition
	 * @return the writer, which the store rejects once the epoch is over
	 * @throws IllegalArgumentException if there is no such partition
	 */
	public PartitionWriter<T> writer(String partition) {
		this.lock.lock();
		try {
			return new PartitionWriter<>(this, partition, this.partitions.epoch(partition));
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Notes that a partition holds a full state. Called under the lock.
	 * @param partition the partition
	 */
	void listed(String partition) {
		listed(partition, true);
	}

	private void listed(String partition, boolean began) {
		// The first full state must cover all slots that are held by then.
		if (began && (this.slots == null || this.slots.isFull(partition))) {
			this.partitions.listed(partition);
		}
		else if (began) {
			this.partitions.listing(partition);
		}
		completeFullState();
	}

	private void completeFullState() {
		if (this.partitions.areAllListed() && !this.fullState) {
			this.fullState = true;
			try {
				this.sinks.forEach(DeltaSink::initialStateComplete);
			}
			catch (RuntimeException | Error ex) {
				// The next list notifies the sinks that were missed.
				this.fullState = false;
				throw ex;
			}
		}
	}

	/**
	 * Adds a partition. A store that holds a full state keeps it and delivers the new
	 * objects as ordinary changes; otherwise the first list of the new partition is
	 * awaited, too.
	 * @param partition the partition
	 * @return {@code true} if the partition was added, {@code false} if it existed
	 */
	public boolean addPartition(String partition) {
		this.lock.lock();
		try {
			if (!this.partitions.add(partition)) {
				return false;
			}
			if (this.slots != null) {
				this.slots.add(partition);
			}
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
	 * Removes a partition and its objects. Its writers are rejected from then on, even if
	 * it is added again.
	 * @param partition the partition
	 */
	public void removePartition(String partition) {
		locked(() -> {
			SnapshotBuilder<T> builder = new SnapshotBuilder<>(this.snapshot);
			List<Delta<T>> deletes = new ArrayList<>();
			this.snapshot.iterator(partition).forEachRemaining((stored) -> {
				deletes.add(Delta.deleted(stored));
				builder.remove(stored);
			});
			unreadable(partition).forEach((key) -> builder.release(key, false));
			builder.removeVersion(partition);
			publish(builder, deletes, List.of());
			// Do this last, so that a failed removal can be repeated.
			this.partitions.remove(partition);
			if (this.slots != null) {
				this.slots.remove(partition);
			}
			completeFullState();
			this.waiters.end(partition);
			this.waiters.check(this.snapshot);
			this.writes.release(partition);
		});
		updateListedSlots();
	}

	/**
	 * Waits for a full state again and keeps the objects. The differences of the next
	 * list of every partition are delivered as an initial state.
	 */
	public void awaitFullStateAgain() {
		locked(() -> {
			this.partitions.restart();
			if (this.slots != null) {
				this.slots.restart();
			}
			this.fullState = false;
			this.waiters.open();
			this.writes.open();
			this.sinks.forEach(DeltaSink::initialStateReset);
		});
		updateListedSlots();
	}

	/**
	 * Returns whether the store is synced: every partition holds a full state, except
	 * partitions that were added later.
	 * @return {@code true} if the store is synced
	 */
	public boolean hasFullState() {
		return this.fullState;
	}

	/**
	 * Waits until a condition holds.
	 * @param partition the partition that the condition is about; {@code null} for all
	 * @param condition the condition; called under the lock at each change, so it must
	 * neither block nor call user code
	 * @param timeout the longest time to wait
	 * @return {@code true} if the condition held; {@code false} at the timeout, after
	 * {@link #endWaits()}, or if the partition was removed
	 * @throws InterruptedException if the thread is interrupted
	 */
	public boolean await(@Nullable String partition, Predicate<StoreSnapshot<T>> condition, Duration timeout)
			throws InterruptedException {
		SnapshotWaiters.Waiter<T> waiter = new SnapshotWaiters.Waiter<>(partition, condition);
		this.lock.lock();
		try {
			this.waiters.add(waiter, this.snapshot);
			if (partition != null && !this.partitions.contains(partition)) {
				this.waiters.end(partition);
			}
		}
		finally {
			this.lock.unlock();
		}
		return this.waiters.await(waiter, timeout);
	}

	/**
	 * Waits until a partition holds a full state.
	 * @param partition the partition
	 * @param timeout the longest time to wait
	 * @return {@code true} if the partition holds a full state; {@code false} at the
	 * timeout, after {@link #endWaits()}, or if the partition was removed
	 * @throws InterruptedException if the thread is interrupted
	 */
	public boolean awaitFullState(String partition, Duration timeout) throws InterruptedException {
		return await(partition, (snapshot) -> this.partitions.isListed(partition), timeout);
	}

	/**
	 * Waits until every partition holds a full state, except partitions that were added
	 * later.
	 * @param timeout the longest time to wait
	 * @return {@code true} if the store is synced; {@code false} at the timeout or after
	 * {@link #endWaits()}
	 * @throws InterruptedException if the thread is interrupted
	 */
	public boolean awaitFullState(Duration timeout) throws InterruptedException {
		return await(null, (snapshot) -> this.fullState, timeout);
	}

	/**
	 * Ends all waits for a state of the store. The store does not change before
	 * {@link #awaitFullStateAgain()}.
	 */
	public void endWaits() {
		locked(() -> {
			this.waiters.close();
			// Freeze the sinks before the waits for writes end: the code that waited must
			// not continue on an outdated cache.
			this.sinks.forEach(DeltaSink::frozen);
			this.writes.close();
		});
	}

	/** Ends the current waits; later waits wait for the next full state. */
	public void wakeWaits() {
		locked(() -> {
			this.waiters.wake();
			this.writes.releaseAll();
		});
	}

	/**
	 * Adds a sink. It receives the current objects as initial additions and then every
	 * change, without gaps or duplicates.
	 * @param sink the sink
	 */
	public void addSink(DeltaSink<T> sink) {
		locked(() -> {
			this.snapshot.iterator().forEachRemaining((object) -> sink.delta(Delta.added(object).listed(true, true)));
			this.sinks.add(sink);
			if (this.fullState) {
				sink.initialStateComplete();
			}
		});
	}

	/**
	 * Adds a sink that receives every change from now on, but not the current objects. A
	 * caller that reads the {@link #keys()} afterwards misses nothing.
	 * @param sink the sink
	 */
	public void addSinkWithoutReplay(DeltaSink<T> sink) {
		locked(() -> {
			this.sinks.add(sink);
			if (this.fullState) {
				sink.initialStateComplete();
			}
		});
	}

	/**
	 * Removes a sink. It receives no changes once this method returns.
	 * @param sink the sink
	 */
	public void removeSink(DeltaSink<T> sink) {
		locked(() -> this.sinks.remove(sink));
	}

	/**
	 * Begins a walk over the objects; they may change meanwhile.
	 * @return the walk
	 */
	public StoreWalk<T> walk() {
		return new StoreWalk<>(this.snapshot.namespaces());
	}

	/**
	 * Passes a sink the stored state of objects whose resync is due. The lock is released
	 * between small batches. If the sink fails for an object, the walk continues with
	 * that object.
	 * @param sink the sink
	 * @param walk the walk that yields the objects
	 * @param count the number of objects
	 */
	public void resync(DeltaSink<T> sink, StoreWalk<T> walk, int count) {
		int left = count;
		while (left > 0) {
			int batch = Math.min(left, RESYNC_BATCH);
			this.lock.lock();
			try {
				for (int i = 0; i < batch; i++) {
					StoredObject<T> stored = walk.next(this.snapshot);
					if (stored == null) {
						return;
					}
					sink.resync(stored);
					walk.passed(stored);
				}
			}
			finally {
				this.lock.unlock();
			}
			left -= batch;
		}
	}

	/**
	 * Returns the current keys of all objects. The keys do not keep the objects alive.
	 * @return a new list
	 */
	public List<ObjectKey> keys() {
		return this.snapshot.objectKeys();
	}

	/**
	 * Returns the custom index functions by name.
	 * @return an unmodifiable map
	 */
	public Map<String, Function<T, List<String>>> indexers() {
		return this.indexes.functions().asMap();
	}

	/**
	 * Adds custom index functions, before or after the store holds objects. They run
	 * outside the lock, over the current objects and over each object that arrives.
	 * @param added the functions by name
	 * @throws IllegalArgumentException if there is an index of that name
	 */
	public void addIndexers(Map<String, Function<T, List<String>>> added) {
		this.indexes.add(added, this);
	}

	/**
	 * Adds a custom index function that several callers share, unless it was added
	 * before.
	 * @param name the name of the index
	 * @param function the function, always the same instance
	 * @throws IllegalArgumentException if another function has that name
	 */
	public void addIndexerIfAbsent(String name, Function<T, List<String>> function) {
		this.indexes.addIfAbsent(name, function, this);
	}

	/**
	 * Finds the partition of a namespace.
	 * @param namespace the namespace, empty for cluster-scoped objects
	 * @return the partition; {@code null} if the namespace is not watched
	 */
	public @Nullable String partitionOf(String namespace) {
		PersistentMap<String, String> versions = this.snapshot.versions();
		return versions.containsKey("") ? "" : versions.containsKey(namespace) ? namespace : null;
	}

	/**
	 * Waits for a write to be seen, without blocking. The callback runs exactly once,
	 * under the lock. It runs at once if the write is visible or if no further change
	 * will be stored. Otherwise it runs when the write becomes visible, when the
	 * partition is removed or accepts an older list, or when the waits end.
	 * @param wait the wait, which can be used once
	 */
	public void whenSeen(WriteWait wait) {
		locked(() -> this.writes.add(wait, this.snapshot, this.partitions.contains(wait.partition())));
	}

	/**
	 * Ends a wait without running its callback.
	 * @param wait the wait; a wait that has ended is ignored
	 */
	public void forget(WriteWait wait) {
		locked(() -> this.writes.remove(wait));
	}

	void releaseWrites(String partition) {
		this.writes.release(partition);
	}

	/**
	 * Turns on the comparison of updates: from then on {@link Delta#statusOnly()} says
	 * whether an update changes the status only. The comparison runs outside the lock.
	 * @param sameApartFromStatus compares the objects before and after the update
	 */
	public void compareContent(BiPredicate<? super T, ? super T> sameApartFromStatus) {
		this.sameApartFromStatus = sameApartFromStatus;
	}

	StatusChanges<T> statusChanges(Collection<StoredObject<T>> received) {
		return StatusChanges.of(received, this.snapshot, this.sameApartFromStatus);
	}

	/**
	 * Returns the keys of the objects that cannot be read.
	 * @return a new list
	 */
	public List<ObjectKey> unreadableKeys() {
		return List.copyOf(this.snapshot.unreadable().keySet());
	}

	List<ObjectKey> unreadable(String partition) {
		return this.snapshot.unreadable()
			.keySet()
			.stream()
			.filter((key) -> partition.isEmpty() || partition.equals(key.namespace()))
			.toList();
	}

	boolean isListed(String partition) {
		return this.partitions.isListed(partition);
	}

	/**
	 * Runs a change under the lock, after running the index functions over its objects
	 * outside the lock. If functions were added meanwhile, they run again.
	 * @param writer the writer, whose change is rejected if its epoch is over
	 * @param objects the objects of the change
	 * @param indexed the map that receives the objects with their index values; not
	 * changed if there is no index function
	 * @param change the change
	 */
	void write(PartitionWriter<T> writer, Collection<StoredObject<T>> objects,
			Map<StoredObject<T>, StoredObject<T>> indexed, Runnable change) {
		while (true) {
			IndexFunctions<T> functions = this.indexes.functions();
			functions.apply(objects, this.snapshot, indexed);
			this.lock.lock();
			try {
				if (!this.partitions.isIn(writer.partition(), writer.epoch())) {
					return;
				}
				if (this.indexes.functions() == functions) {
					change.run();
					this.waiters.check(this.snapshot);
					this.writes.reached(writer.partition(), this.snapshot);
					return;
				}
			}
			finally {
				this.lock.unlock();
			}
		}
	}

	/**
	 * Publishes a change to the readers and passes it to the sinks. Called under the
	 * lock.
	 * @param builder the change
	 * @param deletes the deletions, which are delivered first
	 * @param changes additions and updates
	 */
	void publish(SnapshotBuilder<T> builder, List<Delta<T>> deletes, List<Delta<T>> changes) {
		StoreSnapshot<T> before = this.snapshot;
		this.snapshot = builder.build();
		try {
			for (DeltaSink<T> sink : this.sinks) {
				deletes.forEach(sink::delta);
				changes.forEach(sink::delta);
				builder.quarantined().forEach(sink::quarantined);
			}
		}
		catch (RuntimeException | Error ex) {
			// Roll back: the writer lists again, and changes that did not reach every
			// sink, for example after an OutOfMemoryError, become differences again.
			this.snapshot = before;
			throw ex;
		}
		this.writes.changed(deletes, this.snapshot);
		this.writes.changed(changes, this.snapshot);
		this.writes.quarantined(builder.quarantined(), this.snapshot);
	}

	private void locked(Runnable action) {
		this.lock.lock();
		try {
			action.run();
		}
		finally {
			this.lock.unlock();
		}
	}

}
