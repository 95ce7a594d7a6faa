package dev.kubeinformer.internal.membership;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.internal.elector.ElectorThreads;
import dev.kubeinformer.internal.failure.LoggedFailure;
import dev.kubeinformer.internal.shards.SlotSet;
import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.shard.ShardWork;
import dev.kubeinformer.shard.Shards;

/**
 * Calls the methods of one {@link ShardWork}, on threads that do not renew the Lease.
 * Gains and losses are called one at a time. Drains of different slots overlap with them
 * and with each other. Work that hangs does not block other work. Thread-safe.
 */
final class SlotLane {

	private static final Logger logger = LoggerFactory.getLogger(Shards.class);

	/**
	 * Longest time for which {@code lost()} waits for a running call. After that, it is
	 * called concurrently.
	 */
	private static final long GRACE_MILLIS = 1000;

	private final ShardWork work;

	private final ShardWork.Phase phase;

	private final ElectorThreads threads;

	/** Returns the slots of a gain that this process still has. */
	private final Function<SlotGrant, SlotSet> active;

	private final Duration retryPeriod;

	// The fields below are guarded by this.

	private final Deque<Runnable> calls = new ArrayDeque<>();

	private final List<Drain> drains = new ArrayList<>();

	/** Calls that wait until the drain of the same slots has ended. */
	private final List<Runnable> behind = new ArrayList<>();

	/** Slots that the work has gained, and that were neither drained nor lost since. */
	private SlotSet begun = SlotSet.none();

	/** Slots that a cache has lost, but whose objects it still contains. */
	private SlotSet kept = SlotSet.none();

	private boolean busy;

	private boolean settled;

	private boolean closed;

	SlotLane(ShardWork work, ElectorThreads threads, Duration retryPeriod, Function<SlotGrant, SlotSet> active) {
		this.work = work;
		this.phase = work.phase();
		this.threads = threads;
		this.retryPeriod = retryPeriod;
		this.active = active;
	}

	ShardWork work() {
		return this.work;
	}

	ShardWork.Phase phase() {
		return this.phase;
	}

	/**
	 * Begins the work of slots. Slots that this process has lost by then are left out.
	 * @param grant the record of the gain
	 * @return completed when the work was called
	 */
	synchronized CompletableFuture<Boolean> gain(SlotGrant grant) {
		Gain gain = new Gain(grant);
		add(gain);
		if (this.closed) {
			gain.over.complete(true);
		}
		return gain.over;
	}

	/**
	 * Tells the work that this process knows its first share of the slots, unless the
	 * work was told already.
	 * @return completed when the work was told
	 */
	synchronized CompletableFuture<Boolean> settle() {
		CompletableFuture<Boolean> told = new CompletableFuture<>();
		if (this.settled || this.closed) {
			told.complete(true);
		}
		else {
			this.settled = true;
			add(() -> {
				call("settled", this.work::settled);
				told.complete(true);
			});
		}
		return told;
	}

	/**
	 * Tells the work that this process does not know its share of the slots any more.
	 */
	synchronized void unsettle() {
		if (this.settled && !this.closed) {
			this.settled = false;
			add(() -> call("unsettled", this.work::unsettled));
		}
	}

	/**
	 * Drains slots. A drain without success is repeated.
	 * @param slots the slots
	 * @param wanted returns whether the drain is still wanted
	 * @return completed with {@code true} if no operation for the slots is running any
	 * more, and with {@code false} if the drain is not wanted any more
	 */
	synchronized CompletableFuture<Boolean> drain(SlotSet slots, BooleanSupplier wanted) {
		CompletableFuture<Boolean> outcome = new CompletableFuture<>();
		// Drain after the gains that are under way.
		add(() -> beginDrain(slots, wanted, outcome));
		if (this.closed) {
			outcome.complete(true);
		}
		return outcome;
	}

	private void beginDrain(SlotSet slots, BooleanSupplier wanted, CompletableFuture<Boolean> outcome) {
		if (!wanted.getAsBoolean()) {
			outcome.complete(false);
			return;
		}
		Drain drain;
		synchronized (this) {
			SlotSet affected = slots.intersect(this.begun.union(this.kept));
			SlotSet later = slots.intersect(draining()).minus(affected);
			if (this.closed || affected.union(later).isEmpty()) {
				outcome.complete(true);
				return;
			}
			CompletableFuture<Boolean> first = outcome;
			if (!later.isEmpty()) {
				// A drain of an earlier term is still running, and may leave objects in
				// the cache. Drain these slots again after it.
				first = new CompletableFuture<>();
				CompletableFuture<Boolean> rest = new CompletableFuture<>();
				first.thenCombine(rest, Boolean::logicalAnd).thenAccept(outcome::complete);
				this.behind.add(() -> beginDrain(later, wanted, rest));
			}
			if (affected.isEmpty()) {
				first.complete(true);
				return;
			}
			this.kept = this.kept.minus(affected);
			drain = new Drain(affected, wanted, first);
			this.drains.add(drain);
		}
		this.threads.call(drain);
	}

	// Slots of running drains. The caller holds the lock.
	private SlotSet draining() {
		SlotSet draining = SlotSet.none();
		for (Drain drain : this.drains) {
			draining = draining.union(drain.slots);
		}
		return draining;
	}

	/**
	 * Ends the work of slots at once unless they have drained.
	 * @param slots the slots
	 */
	synchronized void lose(SlotSet slots) {
		SlotSet affected = slots.intersect(this.begun);
		if (affected.isEmpty() || this.closed) {
			return;
		}
		this.begun = this.begun.minus(affected);
		if (this.phase == ShardWork.Phase.CACHES) {
			this.kept = this.kept.union(affected);
		}
		this.drains.forEach((drain) -> drain.interruptIf(affected));
		Loss loss = new Loss(affected);
		if (this.busy) {
			this.threads.later(() -> this.threads.call(loss::announce), GRACE_MILLIS, TimeUnit.MILLISECONDS);
		}
		add(loss);
	}

	/**
	 * Stops calling the work.
	 */
	void close() {
		List<Runnable> dropped;
		synchronized (this) {
			this.closed = true;
			dropped = new ArrayList<>(this.calls);
			dropped.addAll(this.behind);
			this.calls.clear();
			this.behind.clear();
		}
		// Each dropped call completes its future without calling the work.
		dropped.forEach(Runnable::run);
	}

	private synchronized boolean isClosed() {
		return this.closed;
	}

	private void add(Runnable call) {
		if (this.closed) {
			return;
		}
		this.calls.add(call);
		if (!this.busy) {
			this.busy = true;
			this.threads.call(this::run);
		}
	}

	private void run() {
		Runnable next = next();
		while (next != null) {
			next.run();
			next = next();
		}
	}

	private synchronized @Nullable Runnable next() {
		Runnable next = this.calls.poll();
		this.busy = next != null;
		return next;
	}

	private void call(String what, Runnable callback) {
		if (isClosed()) {
			return;
		}
		try {
			callback.run();
		}
		catch (Throwable ex) {
			logger.error("Work '{}' failed in {}()", this.work, what, LoggedFailure.of(ex));
		}
	}

	private static Set<Integer> set(SlotSet slots) {
		return Set.copyOf(slots.toList());
	}

	/**
	 * Begins the work of gained slots. If a drain of some of these slots is still running
	 * since an earlier term, their work begins after it has ended. Other slots are not
	 * delayed.
	 */
	private final class Gain implements Runnable {

		private final SlotGrant grant;

		private final CompletableFuture<Boolean> over = new CompletableFuture<>();

		Gain(SlotGrant grant) {
			this.grant = grant;
		}

		@Override
		public void run() {
			boolean complete = true;
			try {
				SlotSet gained;
				synchronized (SlotLane.this) {
					SlotSet active = SlotLane.this.closed ? SlotSet.none()
							: SlotLane.this.active.apply(this.grant).minus(SlotLane.this.begun);
					gained = active.minus(draining());
					SlotLane.this.begun = SlotLane.this.begun.union(gained);
					SlotLane.this.kept = SlotLane.this.kept.minus(gained);
					if (!active.equals(gained)) {
						complete = false;
						SlotLane.this.behind.add(this);
					}
				}
				if (!gained.isEmpty()) {
					call("gained", () -> SlotLane.this.work.gained(set(gained)));
				}
			}
			finally {
				if (complete) {
					this.over.complete(true);
				}
			}
		}

	}

	/**
	 * Ends the work of slots, on its own thread.
	 */
	private final class Drain implements Runnable {

		private final SlotSet slots;

		private final BooleanSupplier wanted;

		private final CompletableFuture<Boolean> outcome;

		/** Thread of the drain; guarded by the outer instance. */
		private @Nullable Thread thread;

		/** Whether the slots were lost; guarded by the outer instance. */
		private boolean lost;

		private boolean reported;

		Drain(SlotSet slots, BooleanSupplier wanted, CompletableFuture<Boolean> outcome) {
			this.slots = slots;
			this.wanted = wanted;
			this.outcome = outcome;
		}

		void interruptIf(SlotSet affected) {
			if (!this.slots.intersect(affected).isEmpty()) {
				this.lost = true;
				if (this.thread != null) {
					this.thread.interrupt();
				}
			}
		}

		@Override
		public void run() {
			boolean drained = false;
			try {
				synchronized (SlotLane.this) {
					this.thread = Thread.currentThread();
				}
				while (!drained && isWanted()) {
					drained = drain() || isClosed();
					if (!drained && isWanted()) {
						TimeUnit.NANOSECONDS.sleep(Durations.nanos(SlotLane.this.retryPeriod));
					}
				}
			}
			catch (InterruptedException ex) {
				logger.debug("The drain of '{}' was interrupted", SlotLane.this.work);
			}
			finally {
				end(drained);
			}
		}

		private boolean isWanted() {
			synchronized (SlotLane.this) {
				if (this.lost) {
					return false;
				}
			}
			return this.wanted.getAsBoolean();
		}

		private boolean drain() throws InterruptedException {
			try {
				return isClosed() || SlotLane.this.work.drain(set(this.slots));
			}
			catch (RuntimeException | Error ex) {
				if (!this.reported) {
					this.reported = true;
					logger.error("Work '{}' failed in drain(); retrying in {}", SlotLane.this.work,
							Durations.text(SlotLane.this.retryPeriod), LoggedFailure.of(ex));
				}
				return false;
			}
		}

		private void end(boolean drained) {
			boolean done;
			synchronized (SlotLane.this) {
				this.thread = null;
				// Clear an interrupt that was meant for this drain.
				Thread.interrupted();
				SlotLane.this.drains.remove(this);
				done = drained && !this.lost;
				if (done) {
					SlotLane.this.begun = SlotLane.this.begun.minus(this.slots);
				}
				else if (SlotLane.this.phase == ShardWork.Phase.CACHES && !SlotLane.this.closed) {
					// The cache may still contain objects of these slots.
					SlotLane.this.kept = SlotLane.this.kept.union(this.slots.minus(SlotLane.this.begun));
				}
				List<Runnable> next = List.copyOf(SlotLane.this.behind);
				SlotLane.this.behind.clear();
				next.forEach(SlotLane.this::add);
			}
			this.outcome.complete(done);
		}

	}

	/**
	 * Tells the work once that it has lost slots.
	 */
	private final class Loss implements Runnable {

		private final SlotSet slots;

		private final CompletableFuture<Boolean> over = new CompletableFuture<>();

		private boolean announced;

		Loss(SlotSet slots) {
			this.slots = slots;
		}

		/**
		 * Tells the work, or waits until another thread has told it, so that the next
		 * call comes after that.
		 */
		@Override
		public void run() {
			announce();
			this.over.join();
		}

		void announce() {
			synchronized (this) {
				if (this.announced) {
					return;
				}
				this.announced = true;
			}
			try {
				call("lost", () -> SlotLane.this.work.lost(set(this.slots)));
			}
			finally {
				this.over.complete(true);
			}
		}

	}

}
