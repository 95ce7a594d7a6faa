package dev.kubeinformer.internal.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;

import kotlinx.collections.immutable.ExtensionsKt;
import kotlinx.collections.immutable.PersistentMap;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.ObjectKey;

/**
 * Cache of one informer: what all of its readers, sinks and waits see of a resource.
 * <p>
 * <b>Problem.</b> Thousands of reads a second must not wait for a list of 100,000
 * objects, and must not see half of it. Handlers, reconcilers and those who wait for
 * their own writes must each see every change once, in one order, however they come and
 * go. User code (index functions, comparisons) may be slow or throw.
 * <p>
 * <b>Idea.</b> One volatile reference to an immutable {@link StoreSnapshot}. Readers take
 * the reference and no lock. A writer builds the next snapshot, which shares all pages
 * that did not change, and publishes it under one short lock. Under the same lock the
 * change goes to all sinks and ends the waits that it meets, so that there is one order
 * of changes for all of them.
 * <p>
 * <b>Invariants.</b>
 * <ul>
 * <li>A partition (a namespace that is watched on its own, or the empty string for the
 * whole cluster) has one writer, which belongs to one life of the partition. Writers of
 * an earlier life are refused: a reflector that is slow to end cannot touch the store of
 * its successor.</li>
 * <li>A sink that fails takes the snapshot back: the writer lists again, and what did not
 * reach every sink is a difference once more. No sink may count on a change being
 * delivered once only.</li>
 * <li>{@code fullState} is true from the first list of all partitions until the informer
 * stops; a partition that is added later does not undo it, and its objects are not an
 * initial state.</li>
 * <li>User code runs outside the lock. Index functions run over what a change brings
 * before the lock is taken, and again if functions were added meanwhile.</li>
 * <li>Sinks and the callbacks of waits run under the lock: they neither block nor call
 * user code.</li>
 * </ul>
 * <b>Tried and lost.</b> The first versions held all objects in a general persistent map
 * (kotlinx-collections-immutable, Paguro, Vavr and PCollections were compared). Each of
 * its levels costs a read a miss of the processor's caches, so that {@link ObjectTable}
 * has taken its place; the map still holds namespaces and indexes. A relist kept a second
 * hash table of what is unchanged; {@link UnchangedObjects} is a bit beside each object.
 * A resync made a list of all keys each period; {@link StoreWalk} holds one name.
 * <p>
 * <b>Cost.</b> A read by name takes 0.08 &micro;s at 1 000 objects and 0.4 &micro;s at
 * 200 000, where it waits for memory; a {@code ConcurrentHashMap}, which has no
 * snapshots, takes about half. A change copies the page of its object. A relist of
 * unchanged objects keeps 0.1 % of the cache alive beside it. See the pages Performance
 * and {@code benchmarks/README.md}.
 *
 * @param <T> the model class
 */
public final class ObjectStore<T> {

	private static final int RESYNC_BATCH = 64;

	/** Read by any thread, changed under the lock. */
	private volatile StoreSnapshot<T> snapshot;

	/** Read by any thread, changed under the lock. */
	private volatile boolean fullState;

	private volatile @Nullable BiPredicate<? super T, ? super T> sameApartFromStatus;

	/** Guards all fields below. */
	private final ReentrantLock lock = new ReentrantLock();

	/** In the order in which they were added. */
	private final List<DeltaSink<T>> sinks = new CopyOnWriteArrayList<>();

	private final StorePartitions partitions;

	private final SnapshotWaiters<T> waiters = new SnapshotWaiters<>(this.lock);

	private final WriteWaits writes = new WriteWaits();

	private final StoreIndexes<T> indexes = new StoreIndexes<>(this.lock);

	/**
	 * Creates an empty store.
	 * @param partitions the namespaces that are watched on their own, or only the empty
	 * string for the whole cluster
	 */
	public ObjectStore(Set<String> partitions) {
		this.partitions = new StorePartitions(partitions);
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
	 * Returns a writer for the present life of a partition.
	 * @param partition the partition
	 * @return the writer, which is refused once that life is over
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
		this.partitions.listed(partition);
		completeFullState();
	}

	private void completeFullState() {
		if (this.partitions.areAllListed() && !this.fullState) {
			this.fullState = true;
			try {
				this.sinks.forEach(DeltaSink::initialStateComplete);
			}
			catch (RuntimeException | Error ex) {
				// The next list completes it for the sinks that were not notified.
				this.fullState = false;
				throw ex;
			}
		}
	}

	/**
	 * Adds a partition. If the store holds a full state it stays so, and what the new
	 * partition brings is delivered as any change; otherwise its first list is awaited
	 * too.
	 * @param partition the partition
	 * @return whether it was not there
	 */
	public boolean addPartition(String partition) {
		this.lock.lock();
		try {
			if (!this.partitions.add(partition)) {
				return false;
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
	 * Removes a partition and what it holds. Its writers are refused from then on, also
	 * if it is added again.
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
			// Not before: a removal that fails can be repeated.
			this.partitions.remove(partition);
			completeFullState();
			this.waiters.end(partition);
			this.waiters.check(this.snapshot);
			this.writes.release(partition);
		});
	}

	/**
	 * Waits for a full state again, and keeps the objects: the next replacement of every
	 * partition is delivered as an initial state again, by its differences.
	 */
	public void awaitFullStateAgain() {
		locked(() -> {
			this.partitions.restart();
			this.fullState = false;
			this.waiters.open();
			this.writes.open();
			this.sinks.forEach(DeltaSink::initialStateReset);
		});
	}

	/**
	 * Returns whether every partition holds a full state, those that were added
	 * afterwards excepted.
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
	 * @param timeout how long to wait at most
	 * @return whether it does; {@code false} also if {@link #endWaits()} came first or
	 * there is no such partition any more
	 * @throws InterruptedException if the thread is interrupted
	 */
	public boolean awaitFullState(String partition, Duration timeout) throws InterruptedException {
		return await(partition, (snapshot) -> this.partitions.isListed(partition), timeout);
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
	 * Ends all waits: nothing changes any more before {@link #awaitFullStateAgain()}.
	 */
	public void endWaits() {
		locked(() -> {
			this.waiters.close();
			// First, or what is released below would run on a cache that is not current.
			this.sinks.forEach(DeltaSink::frozen);
			this.writes.close();
		});
	}

	/**
	 * Ends the waits that have begun; later ones wait for the next full state.
	 */
	public void wakeWaits() {
		locked(() -> {
			this.waiters.wake();
			this.writes.releaseAll();
		});
	}

	/**
	 * Adds a sink. It is given the present objects as initial additions, and then every
	 * change, with no gap and no duplicate.
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
	 * Adds a sink that is given every change from now on, and none of the present
	 * objects. Who takes the {@link #keys()} afterwards misses nothing.
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
	 * Removes a sink; it is given no more changes once this returns.
	 * @param sink the sink
	 */
	public void removeSink(DeltaSink<T> sink) {
		locked(() -> this.sinks.remove(sink));
	}

	/**
	 * Begins a walk over the objects, which goes on while they change.
	 * @return the walk
	 */
	public StoreWalk<T> walk() {
		return new StoreWalk<>(this.snapshot.namespaces());
	}

	/**
	 * Gives a sink the stored state of objects whose resync is due. The lock is released
	 * between small batches. An object that the sink fails on is the next one of the
	 * walk.
	 * @param sink the sink
	 * @param walk the walk on which the objects are met
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
	 * Returns the keys of all objects at this moment. They keep no object alive.
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
	 * Adds custom index functions, before or after objects are there. They run outside
	 * the lock, over the objects present and over each object that arrives.
	 * @param added the functions by name
	 * @throws IllegalArgumentException if there is an index of that name
	 */
	public void addIndexers(Map<String, Function<T, List<String>>> added) {
		this.indexes.add(added, this);
	}

	/**
	 * Adds a custom index function, unless it was added before, for those who share it.
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
	 * Waits for a write to be seen, without blocking. Its callback runs exactly once,
	 * under the lock: at once if it is seen or if nothing will come, later when it is
	 * seen, when the partition is removed or takes an older list, or when the waits end.
	 * @param wait the wait, which is used once
	 */
	public void whenSeen(WriteWait wait) {
		locked(() -> this.writes.add(wait, this.snapshot, this.partitions.contains(wait.partition())));
	}

	/**
	 * Ends a wait without running its callback.
	 * @param wait the wait; one that has ended is passed over
	 */
	public void forget(WriteWait wait) {
		locked(() -> this.writes.remove(wait));
	}

	void releaseWrites(String partition) {
		this.writes.release(partition);
	}

	/**
	 * Turns on the comparison of updates: from then on {@link Delta#statusOnly()} says
	 * whether one changes the status only. It runs outside the lock.
	 * @param sameApartFromStatus compares the object before and after
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
	 * Runs a change under the lock, after the index functions ran over the objects
	 * outside of it. If functions were added meanwhile, they run again.
	 * @param writer the writer, whose change is refused if its life is over
	 * @param objects the objects that the change brings
	 * @param indexed receives the objects with their index values; untouched if there is
	 * no index function
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
	 * Publishes a change to the readers, and gives it to the sinks. Called under the
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
			// As if nothing had come: the writer lists again, and a change that did not
			// reach every sink, such as for want of memory, is a difference once more.
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
