package dev.kubeinformer.internal.membership;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.elector.ElectorThreads;
import dev.kubeinformer.internal.elector.LeaseTerm;
import dev.kubeinformer.internal.elector.OrderedListeners;
import dev.kubeinformer.internal.shards.SlotSet;
import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.shard.ShardListener;
import dev.kubeinformer.shard.ShardLossReason;
import dev.kubeinformer.shard.ShardWork;
import dev.kubeinformer.shard.ShardWork.Phase;
import dev.kubeinformer.spi.CallbackAware;

/**
 * Slots of this process, and their effects on work and listeners. A gain reaches
 * listeners first, then caches, then runs. A hand-over ends runs first, then caches, and
 * then reaches listeners. A loss reaches all of them at once. Thread-safe.
 */
public final class SlotWorks {

	private final Duration retryPeriod;

	private final Duration drainTimeout;

	private final ElectorThreads threads;

	private final OrderedListeners<ShardListener> listeners;

	private final List<SlotLane> lanes = new CopyOnWriteArrayList<>();

	/**
	 * Record of the gain of each slot whose work may begin; {@code null} for other slots.
	 */
	private final AtomicReferenceArray<@Nullable SlotGrant> current;

	/** Whether a notification of changed members is pending. */
	private final AtomicBoolean membersChanged = new AtomicBoolean();

	private volatile Set<Integer> slots = Set.of();

	private volatile boolean settled;

	private volatile long gained;

	private volatile long lost;

	// The fields below are guarded by this.

	/** Slots of the current term, including those that are handed over. */
	private SlotSet held = SlotSet.none();

	private SlotSet draining = SlotSet.none();

	private SlotSet drained = SlotSet.none();

	/**
	 * Slots that this process lost because its Lease expired, and whose objects may still
	 * be cached.
	 */
	private SlotSet kept = SlotSet.none();

	/**
	 * Number of times that all slots were lost at once. A loss ends all earlier
	 * hand-overs.
	 */
	private long epoch;

	/** Wakes the thread of the membership. */
	private Runnable wake = () -> {
	};

	/**
	 * Creates an instance without slots.
	 * @param total the number of slots
	 * @param retryPeriod the time after which an unsuccessful drain is repeated
	 * @param drainTimeout how long the release of slots waits for listeners
	 * @param threads the threads
	 */
	public SlotWorks(int total, Duration retryPeriod, Duration drainTimeout, ElectorThreads threads) {
		this.retryPeriod = retryPeriod;
		this.drainTimeout = drainTimeout;
		this.threads = threads;
		this.listeners = new OrderedListeners<>(threads);
		this.current = new AtomicReferenceArray<>(total);
	}

	public OrderedListeners<ShardListener> listeners() {
		return this.listeners;
	}

	synchronized void wakes(Runnable action) {
		this.wake = action;
	}

	/**
	 * Returns whether work of a slot may begin now.
	 * @param slot the slot
	 * @return {@code true} if the slot is held in a valid term and is not handed over
	 */
	public boolean owns(int slot) {
		SlotGrant grant = this.current.get(slot);
		return grant != null && grant.isValid();
	}

	/**
	 * Returns the slots of the current term, even if the clocks show that the term is
	 * over.
	 * @return the slots, including those that are handed over
	 */
	public Set<Integer> slots() {
		return this.slots;
	}

	public synchronized Set<Integer> draining() {
		return set(this.draining);
	}

	public boolean isSettled() {
		return this.settled;
	}

	public long gainedCount() {
		return this.gained;
	}

	public long lostCount() {
		return this.lost;
	}

	synchronized SlotSet held() {
		return this.held;
	}

	/**
	 * Returns the slots whose hand-over has ended and that can be released.
	 * @return the slots
	 */
	synchronized SlotSet drained() {
		return this.drained;
	}

	/**
	 * Begins the work of slots.
	 * @param slots the slots
	 * @param term the term
	 */
	void gained(SlotSet slots, LeaseTerm term) {
		SlotGrant grant = new SlotGrant(slots, term);
		synchronized (this) {
			slots.stream().forEach((slot) -> this.current.set(slot, grant));
			held(this.held.union(slots));
			this.draining = this.draining.minus(slots);
			this.drained = this.drained.minus(slots);
			this.kept = this.kept.minus(slots);
			this.gained += slots.size();
		}
		this.settled = true;
		Set<Integer> told = set(slots);
		tell((listener) -> listener.onShardGained(told))
			.thenComposeAsync((none) -> gain(Phase.CACHES, grant), this.threads::call)
			.thenComposeAsync((none) -> gain(Phase.RUNS, grant), this.threads::call);
	}

	/**
	 * Tells the work that the share of this process is known, although it contains no
	 * slots.
	 */
	void settleWithoutShare() {
		if (!this.settled) {
			this.settled = true;
			this.lanes.forEach(SlotLane::settle);
		}
	}

	private CompletableFuture<Boolean> gain(Phase phase, SlotGrant grant) {
		return all(phase, (lane) -> lane.gain(grant).thenCombine(lane.settle(), Boolean::logicalAnd));
	}

	private SlotSet active(SlotGrant grant) {
		return SlotSet.of(grant.slots().stream().filter((slot) -> this.current.get(slot) == grant).toArray());
	}

	/**
	 * Hands slots over: ends their work, and then lets them be released.
	 * @param slots the slots
	 * @param reason the reason
	 */
	void drain(SlotSet slots, ShardLossReason reason) {
		long began;
		SlotSet leaving;
		synchronized (this) {
			leaving = slots.intersect(this.held);
			leaving.stream().forEach((slot) -> this.current.set(slot, null));
			this.draining = this.draining.union(leaving);
			began = this.epoch;
		}
		Set<Integer> told = set(leaving);
		drain(Phase.RUNS, leaving, began)
			.thenComposeAsync((well) -> well ? drain(Phase.CACHES, leaving, began) : no(), this.threads::call)
			.thenComposeAsync((well) -> well ? tell((listener) -> {
				if (!isVoid(began)) {
					listener.onShardLost(told, reason);
				}
			}) : no(), this.threads::call)
			.thenAccept((well) -> {
				if (well) {
					drained(leaving, began);
				}
			});
	}

	private CompletableFuture<Boolean> drain(Phase phase, SlotSet leaving, long began) {
		return all(phase, (lane) -> lane.drain(leaving, () -> !isVoid(began)));
	}

	private synchronized boolean isVoid(long began) {
		return this.epoch != began;
	}

	private void drained(SlotSet leaving, long began) {
		Runnable then;
		synchronized (this) {
			if (this.epoch != began) {
				return;
			}
			this.drained = this.drained.union(leaving.intersect(this.draining));
			then = this.wake;
		}
		then.run();
	}

	/**
	 * Notes that slots were released.
	 * @param slots the slots, which have drained
	 */
	synchronized void released(SlotSet slots) {
		held(this.held.minus(slots));
		this.draining = this.draining.minus(slots);
		this.drained = this.drained.minus(slots);
		this.lost += slots.size();
	}

	/**
	 * Ends the work of all slots at once, because the term is over.
	 * @param reason the reason
	 */
	void lose(ShardLossReason reason) {
		SlotSet affected;
		Set<Integer> told;
		synchronized (this) {
			affected = this.held;
			// Listeners were already notified of the loss of drained slots.
			told = set(affected.minus(this.drained));
			this.epoch++;
			affected.stream().forEach((slot) -> this.current.set(slot, null));
			held(SlotSet.none());
			this.draining = SlotSet.none();
			this.drained = SlotSet.none();
			this.kept = this.kept.union(affected);
			this.lost += affected.size();
		}
		if (affected.isEmpty()) {
			return;
		}
		lanes(Phase.RUNS).forEach((lane) -> lane.lose(affected));
		lanes(Phase.CACHES).forEach((lane) -> lane.lose(affected));
		if (!told.isEmpty()) {
			this.listeners.notify((listener) -> listener.onShardLost(told, reason));
		}
	}

	/**
	 * Makes caches evict the objects of slots that this process lost because its Lease
	 * expired, if another member holds these slots now.
	 * @param others the slots that other members hold
	 */
	void taken(SlotSet others) {
		SlotSet evicted;
		synchronized (this) {
			evicted = this.kept.intersect(others);
			this.kept = this.kept.minus(evicted);
		}
		if (!evicted.isEmpty()) {
			Set<Integer> told = set(evicted);
			all(Phase.CACHES, (lane) -> lane.drain(evicted, () -> true)).thenRunAsync(
					() -> this.listeners.notify((listener) -> listener.onShardLost(told, ShardLossReason.MOVED)),
					this.threads::call);
		}
	}

	/**
	 * Tells listeners that the members have changed. While a listener hangs, at most one
	 * more call waits, so the calls do not use up the memory.
	 */
	void membersChanged() {
		if (this.membersChanged.compareAndSet(false, true)) {
			this.listeners.notify((listener) -> {
				this.membersChanged.set(false);
				listener.onMembersChanged();
			}, () -> this.membersChanged.set(false));
		}
	}

	/**
	 * Ends the work of all slots, and forgets the share of this process, because the
	 * membership has stopped.
	 */
	void stopped() {
		lose(ShardLossReason.STOPPED);
		this.settled = false;
		this.lanes.forEach(SlotLane::unsettle);
	}

	/**
	 * Registers work. It gains the slots that this process holds.
	 * @param work the work
	 * @return the registration
	 */
	public Leadership.Registration register(ShardWork work) {
		SlotLane lane = new SlotLane(work, this.threads, this.retryPeriod, this::active);
		this.lanes.add(lane);
		Set<SlotGrant> grants = new HashSet<>();
		for (int slot = 0; slot < this.current.length(); slot++) {
			SlotGrant grant = this.current.get(slot);
			if (grant != null) {
				grants.add(grant);
			}
		}
		grants.forEach(lane::gain);
		if (this.settled) {
			lane.settle();
		}
		return () -> {
			this.lanes.remove(lane);
			lane.close();
		};
	}

	/**
	 * Returns whether the calling thread runs a callback that the drain of a work waits
	 * for.
	 * @return {@code true} if the calling thread runs such a callback
	 */
	public boolean isInCallback() {
		return this.lanes.stream().anyMatch((lane) -> CallbackAware.isInCallback(lane.work()));
	}

	private CompletableFuture<Boolean> tell(Consumer<ShardListener> call) {
		CompletableFuture<Boolean> told = new CompletableFuture<>();
		this.listeners.notify(call, () -> told.complete(true));
		if (!told.isDone()) {
			// A listener that hangs must not keep slots from other members.
			this.threads.later(() -> this.threads.call(() -> told.complete(true)), Durations.millis(this.drainTimeout),
					TimeUnit.MILLISECONDS);
		}
		return told;
	}

	private CompletableFuture<Boolean> all(Phase phase, Function<SlotLane, CompletableFuture<Boolean>> call) {
		List<CompletableFuture<Boolean>> outcomes = lanes(phase).stream().map(call).toList();
		return CompletableFuture.allOf(outcomes.toArray(CompletableFuture[]::new))
			.thenApply((none) -> outcomes.stream().allMatch(CompletableFuture::join));
	}

	private static CompletableFuture<Boolean> no() {
		return CompletableFuture.completedFuture(false);
	}

	private List<SlotLane> lanes(Phase phase) {
		return this.lanes.stream().filter((lane) -> lane.phase() == phase).toList();
	}

	private void held(SlotSet now) {
		this.held = now;
		this.slots = set(now);
	}

	private static Set<Integer> set(SlotSet slots) {
		return Set.copyOf(slots.toList());
	}

}
