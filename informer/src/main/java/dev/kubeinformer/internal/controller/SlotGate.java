package dev.kubeinformer.internal.controller;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerStatus;
import dev.kubeinformer.internal.slots.ObjectShare;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.store.StoreSnapshot;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.internal.store.UnreadableObject;
import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.internal.text.PrintableText;
import dev.kubeinformer.internal.workqueue.ReconcileLoop;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.NotLeaderException;
import dev.kubeinformer.shard.ShardMember;
import dev.kubeinformer.shard.ShardWork;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.ShardKey;

/**
 * Holds back the runs of a slot that this process has gained until the caches are
 * current. A slot is a group of primaries that moves between replicas. A gate exists from
 * a start of a reconciler to its stop.
 * <p>
 * <b>Problem.</b> The replica that held a slot before may have written just before it
 * released the slot. If a run reads caches that do not show these writes yet, it repeats
 * them: for example, it creates children again.
 * <p>
 * <b>Idea.</b> A gained slot waits until each cache shows a state from after the gain. A
 * cache that holds only the objects of some slots lists the gained slot; every cache that
 * was not listed since the gain is compared with the API server. Then the slot opens, and
 * all its keys are queued. It also opens, with a warning, if such a comparison does not
 * succeed within a limit.
 * <p>
 * <b>Invariants.</b>
 * <ul>
 * <li>The caches of an open slot were verified after the slot was gained, and the slot
 * has been held without interruption since the gain: {@link #drain} and {@link #lost}
 * close it, and a new term of the membership or an emptied cache makes it wait
 * again.</li>
 * <li>A key that is taken while its slot is not open is dropped. It is not lost, because
 * all keys are queued after the slot has opened.</li>
 * <li>A drained slot has no run whose requests can still have an effect, and nothing is
 * remembered of its keys.</li>
 * </ul>
 * The lock is acquired under the locks of stores and of the {@link SourceSet}. Under this
 * lock, only the lock of the queue is acquired.
 */
final class SlotGate implements ShardWork, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(ReconcilerContainer.class);

	private static final long RETRY = 1;

	private final Shards shards;

	private final SourceSet<?> sources;

	private final ReconcileLoop loop;

	private final Host host;

	private final ControllerContext context;

	private final Duration limit;

	private final Threads threads;

	private final CacheCheck check;

	private final Runnable listener = this::listedSlotsChanged;

	private final ReentrantLock lock = new ReentrantLock();

	// Guarded by the lock.

	/** Slots that were gained and are not open yet. */
	private final Map<Integer, Awaited> waiting = new HashMap<>();

	/**
	 * Slots whose runs may begin, with the number of the term in which they were opened.
	 */
	private final Map<Integer, Long> open = new HashMap<>();

	/** Whether keys of slots that were just opened are being queued. */
	private boolean queueing;

	private boolean scheduled;

	/** Whether a later check of the waiting slots is scheduled. */
	private boolean timed;

	private boolean closed;

	private boolean left;

	private Leadership.@Nullable Registration registration;

	/**
	 * Creates the gate of a reconciler that is being started.
	 * @param shards the slots of this process
	 * @param sources the sources whose caches the slots wait for
	 * @param loop the loop behind the gate
	 * @param host the reconciler
	 * @param context the informers, the client and the clocks
	 * @param limit the longest wait for a cache to catch up
	 * @param threads the threads
	 */
	SlotGate(Shards shards, SourceSet<?> sources, ReconcileLoop loop, Host host, ControllerContext context,
			Duration limit, Threads threads) {
		this.shards = shards;
		this.sources = sources;
		this.loop = loop;
		this.host = host;
		this.context = context;
		this.limit = limit;
		this.threads = threads;
		this.check = new CacheCheck(context.link(), context.clocks().nanoTime());
		divided().forEach((source) -> source.store().listedSlots().addListener(this.listener));
	}

	private List<ControllerSource<?>> divided() {
		return this.sources.all().stream().filter(ControllerSource::isDivided).toList();
	}

	/** Begins to receive slots. The caller must not hold a lock. */
	void register() {
		Leadership.Registration made = this.shards.register(this);
		boolean late;
		this.lock.lock();
		try {
			this.registration = made;
			late = this.left;
		}
		finally {
			this.lock.unlock();
		}
		if (late) {
			leave();
		}
	}

	/**
	 * Stops receiving slots, after the last run has ended. The caller must not hold a
	 * lock.
	 */
	void leave() {
		Leadership.Registration last;
		this.lock.lock();
		try {
			this.left = true;
			last = this.registration;
			this.registration = null;
		}
		finally {
			this.lock.unlock();
		}
		if (last != null) {
			last.close();
		}
	}

	@Override
	public void gained(Set<Integer> slots) {
		long term = term();
		this.lock.lock();
		try {
			if (!this.closed) {
				slots.forEach((slot) -> await(slot, term));
				advanceSoon();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private long term() {
		Leadership.Term term = this.shards.membership().term();
		return (term != null) ? term.number() : -1;
	}

	private void await(int slot, long term) {
		this.open.remove(slot);
		this.loop.slots().close(Set.of(slot));
		Set<ControllerSource<?>> kept = new HashSet<>();
		for (ControllerSource<?> source : divided()) {
			if (source.isListed(slot)) {
				kept.add(source);
			}
		}
		this.waiting.put(slot, new Awaited(term, this.context.clocks().nanoTime().getAsLong(), kept));
	}

	/**
	 * Makes slots of earlier terms wait again, because another member may have held them
	 * meanwhile. Called before the first run of a term.
	 * @param term the number of the term
	 */
	void began(long term) {
		this.lock.lock();
		try {
			Set<Integer> earlier = new HashSet<>();
			this.open.forEach((slot, its) -> {
				if (its != term) {
					earlier.add(slot);
				}
			});
			this.waiting.forEach((slot, awaited) -> {
				if (awaited.term() != term) {
					earlier.add(slot);
				}
			});
			earlier.forEach((slot) -> await(slot, term));
			advanceSoon();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Notes that all caches are filled, or that one of them no longer is. Called under
	 * locks of stores.
	 */
	void filledChanged() {
		boolean filled = this.sources.isFilled();
		this.lock.lock();
		try {
			if (!filled) {
				Map.copyOf(this.open).forEach(this::await);
			}
			advanceSoon();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void listedSlotsChanged() {
		this.lock.lock();
		try {
			Map.copyOf(this.open).forEach((slot, term) -> {
				if (!isListed(slot)) {
					await(slot, term);
				}
			});
			advanceSoon();
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean isListed(int slot) {
		return this.sources.all().stream().allMatch((source) -> source.isListed(slot));
	}

	private void advanceSoon() {
		if (!this.closed && !this.scheduled && !this.waiting.isEmpty()) {
			this.scheduled = true;
			try {
				this.threads.executor().execute(this::advance);
			}
			catch (Throwable ex) {
				this.scheduled = false;
				retry(ex);
			}
		}
	}

	private void retry(Throwable failure) {
		logger.error("{} while {} was waiting for the caches of gained slots; retrying", failure.getClass().getName(),
				this.host, failure);
		advanceLater();
	}

	// Check again later: whether this process owns a slot depends on the clocks, so
	// nothing may announce a change.
	private void advanceLater() {
		this.lock.lock();
		try {
			if (!this.closed && !this.timed && !this.waiting.isEmpty()) {
				this.timed = true;
				this.threads.timer().schedule(this::advanceAgain, RETRY, TimeUnit.SECONDS);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void advanceAgain() {
		this.lock.lock();
		try {
			this.timed = false;
			advanceSoon();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void advance() {
		this.lock.lock();
		this.scheduled = false;
		this.lock.unlock();
		try {
			for (Map<Integer, Awaited> batch = ready(); !batch.isEmpty(); batch = ready()) {
				if (!this.check.begin()) {
					return;
				}
				try {
					verify(batch);
				}
				finally {
					this.check.end();
				}
				queueAll(opened(batch));
			}
			advanceLater();
		}
		catch (InterruptedException ex) {
			// The reconciler is stopped.
			return;
		}
		catch (Throwable ex) {
			retry(ex);
		}
	}

	private Map<Integer, Awaited> ready() {
		if (!this.sources.isFilled()) {
			return Map.of();
		}
		long term = term();
		this.lock.lock();
		try {
			Map<Integer, Awaited> ready = new HashMap<>();
			if (!this.closed) {
				Set<Integer> held = new HashSet<>(this.waiting.keySet());
				held.removeIf((slot) -> !this.shards.owns(slot));
				held.forEach((slot) -> ofTerm(slot, term));
				held.removeIf((slot) -> !isListed(slot));
				held.forEach((slot) -> ready.put(slot, Objects.requireNonNull(this.waiting.get(slot))));
			}
			return ready;
		}
		finally {
			this.lock.unlock();
		}
	}

	// The slot may have been gained in a term that is over by now.
	private void ofTerm(int slot, long term) {
		Awaited awaited = this.waiting.get(slot);
		if (awaited != null && awaited.term() != term) {
			await(slot, term);
		}
	}

	private void verify(Map<Integer, Awaited> batch) throws InterruptedException {
		long until = this.context.clocks().nanoTime().getAsLong() + Durations.nanos(this.limit);
		for (ControllerSource<?> source : this.sources.all()) {
			Map<Integer, Awaited> doubtful = new HashMap<>();
			batch.forEach((slot, awaited) -> {
				boolean listed = source.isDivided() && !awaited.kept().contains(source);
				if (!listed && !source.informer().wasFilledFresh(awaited.since())) {
					doubtful.put(slot, awaited);
				}
			});
			ObjectShare share = source.isDivided()
					? ObjectShare.of(this.shards.division(),
							(slot) -> doubtful.containsKey(slot) && isWaiting(slot, doubtful.get(slot)))
					: ObjectShare.ALL;
			if (!doubtful.isEmpty() && !this.check.isCurrent(source, share, until)) {
				logger.warn(
						"{}: the cache of informer '{}' did not catch up with the API server's state at the gain of slots {} within {} ms; runs begin anyway",
						this.host, source, new TreeSet<>(doubtful.keySet()), Durations.millis(this.limit));
				this.host.late();
			}
		}
	}

	private boolean isWaiting(int slot, @Nullable Awaited awaited) {
		this.lock.lock();
		try {
			return this.waiting.get(slot) == awaited;
		}
		finally {
			this.lock.unlock();
		}
	}

	private Set<Integer> opened(Map<Integer, Awaited> batch) {
		long term = term();
		Set<Integer> opened = new HashSet<>();
		this.lock.lock();
		try {
			batch.forEach((slot, awaited) -> {
				if (!this.closed && this.waiting.get(slot) == awaited && awaited.term() == term
						&& this.shards.owns(slot)) {
					this.waiting.remove(slot);
					this.open.put(slot, term);
					opened.add(slot);
				}
			});
			this.queueing = true;
			this.loop.slots().open(opened);
		}
		finally {
			this.lock.unlock();
		}
		return opened;
	}

	// Queue the keys after the slots were opened, because earlier keys of these slots
	// were dropped.
	private void queueAll(Set<Integer> opened) {
		try {
			primaries(opened).forEach((primary) -> this.loop.changed(primary.key(), QueueLane.INITIAL));
		}
		finally {
			this.lock.lock();
			this.queueing = false;
			this.lock.unlock();
			this.loop.idleSignal().changed();
		}
	}

	private Collection<Primary> primaries(Set<Integer> slots) {
		return slots.isEmpty() ? List.of() : primaries(this.sources.primary().store(), slots);
	}

	private <T> Collection<Primary> primaries(ObjectStore<T> store, Set<Integer> slots) {
		StoreSnapshot<T> snapshot = store.snapshot();
		List<Primary> primaries = new ArrayList<>();
		List<ObjectKey> keys = new ArrayList<>(store.keys());
		keys.addAll(store.unreadableKeys());
		for (ObjectKey key : keys) {
			UnreadableObject unreadable = snapshot.unreadable(key);
			StoredObject<?> present = (unreadable != null) ? unreadable.stored()
					: snapshot.find(key.namespace(), key.name());
			if (present != null && slots.contains(this.shards.division().slotOf(present.namespace(), present.uid()))) {
				primaries.add(new Primary(key, present.uid()));
			}
		}
		return primaries;
	}

	@Override
	public boolean drain(Set<Integer> slots) throws InterruptedException {
		remove(slots);
		this.loop.slots().drain(slots, this.shards.leaseDuration());
		Collection<Primary> primaries = primaries(slots);
		this.loop.slots().forget(primaries.stream().map(Primary::key).toList());
		this.host.forget(primaries);
		this.loop.idleSignal().changed();
		return true;
	}

	private void remove(Set<Integer> slots) {
		this.lock.lock();
		try {
			this.waiting.keySet().removeAll(slots);
			this.open.keySet().removeAll(slots);
			this.loop.slots().close(slots);
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void lost(Set<Integer> slots) {
		remove(slots);
		this.loop.slots().abandon(slots);
		this.loop.idleSignal().changed();
	}

	/**
	 * Throws an exception if a key is known to belong to a slot of another process.
	 * @param key the key of a primary
	 * @throws NotLeaderException if another member holds its slot
	 */
	void requireHeld(ObjectKey key) {
		// If the UID determines the slot, only the slots of cached objects are known.
		if (this.shards.division().key() != ShardKey.NAMESPACE) {
			return;
		}
		int slot = this.shards.division().slotOf(key.namespace(), null);
		if (!this.shards.owns(slot)) {
			ShardMember holder = this.shards.ownerOf(slot);
			throw new NotLeaderException("%s does not run '%s' here, because '%s' holds its slot %d; trigger it there"
				.formatted(this.host, PrintableText.of(key.toString()),
						(holder != null && !holder.self()) ? PrintableText.of(holder.name()) : "another member", slot));
		}
	}

	/**
	 * Returns whether no slot waits.
	 * @return {@code true} if all keys of the gained slots were queued
	 */
	boolean isSettled() {
		this.lock.lock();
		try {
			return this.waiting.isEmpty() && !this.queueing;
		}
		finally {
			this.lock.unlock();
		}
	}

	ReconcilerStatus.SlotRuns status() {
		this.lock.lock();
		try {
			return new ReconcilerStatus.SlotRuns(this.open.keySet(), this.waiting.keySet());
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Closes all slots permanently. Runs that have begun continue, and until
	 * {@link #leave()}, draining a slot still waits for them.
	 */
	@Override
	public void close() {
		this.lock.lock();
		try {
			this.closed = true;
			this.loop.slots().close(this.open.keySet());
			this.open.clear();
			this.waiting.clear();
		}
		finally {
			this.lock.unlock();
		}
		divided().forEach((source) -> source.store().listedSlots().removeListener(this.listener));
		this.check.close();
	}

	/**
	 * Gained slot that is not open yet.
	 *
	 * @param term the number of the term in which it was gained
	 * @param since the time from which a verification of the caches counts
	 * @param kept the caches that had listed the slot at that time
	 */
	private record Awaited(long term, long since, Set<ControllerSource<?>> kept) {

	}

	/**
	 * Primary of a slot.
	 *
	 * @param key the key
	 * @param uid the UID
	 */
	record Primary(ObjectKey key, String uid) {

	}

	/**
	 * Reconciler that the gate belongs to. Its {@code toString()} names the reconciler.
	 */
	interface Host {

		/** Called when a cache did not catch up in time. */
		void late();

		/**
		 * Forgets primaries that another process reconciles from now on.
		 * @param primaries the primaries
		 */
		void forget(Collection<Primary> primaries);

	}

	/**
	 * Threads of a gate.
	 *
	 * @param executor the single thread that waits for caches
	 * @param timer runs delayed tasks
	 */
	record Threads(Executor executor, ScheduledExecutorService timer) {

	}

}
