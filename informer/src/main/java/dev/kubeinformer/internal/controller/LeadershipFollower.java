package dev.kubeinformer.internal.controller;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.internal.informer.ReconcilerFence;
import dev.kubeinformer.internal.informer.TermFollower;
import dev.kubeinformer.internal.workqueue.ReconcileLoop;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.spi.CallbackAware;

/**
 * Follows the leadership for a reconciler, from its start to its stop. A term is the time
 * in which this process leads. Steps that must happen immediately at the end of a term
 * are done by the thread that reports the end. Slow steps, such as connecting sources,
 * are done by one thread of the reconciler. Terms may change faster than this thread
 * follows, so it always works for the latest term. Safe for use by several threads.
 */
final class LeadershipFollower extends TermFollower implements CallbackAware {

	private static final Logger logger = LoggerFactory.getLogger(ReconcilerContainer.class);

	private static final Duration LEAST_WATCH = Duration.ofMillis(10);

	/**
	 * Longest time between two checks whether a term has ended. If the wall clock was set
	 * back, a term seems to last longer than it does.
	 */
	private static final Duration LONGEST_WATCH = Duration.ofMinutes(1);

	private static final Duration RETRY = Duration.ofSeconds(1);

	private final Host host;

	private final ReconcileLoop loop;

	private final Threads threads;

	/**
	 * Holds back the runs of gained slots; {@code null} if primaries are not divided into
	 * slots.
	 */
	private final @Nullable SlotGate slots;

	/** Number of pending requests to follow the latest term. */
	private final AtomicInteger unsettled = new AtomicInteger();

	private volatile boolean stopped;

	/** Whether a run has stopped the reconciler; the stop did not wait for that run. */
	private volatile boolean stoppedByRun;

	/**
	 * Creates the follower of a reconciler that was just started.
	 * @param leadership the leadership
	 * @param host the reconciler, which begins and ends sessions
	 * @param loop the loop of the reconciler
	 * @param threads the threads and the clock
	 * @param slots holds back the runs of gained slots; {@code null} if primaries are not
	 * divided into slots
	 */
	LeadershipFollower(Leadership leadership, Host host, ReconcileLoop loop, Threads threads,
			@Nullable SlotGate slots) {
		super(leadership);
		this.host = host;
		this.loop = loop;
		this.threads = threads;
		this.slots = slots;
	}

	@Override
	public void register() {
		super.register();
		if (this.slots != null) {
			this.slots.register();
		}
		if (this.stopped) {
			deregister();
		}
	}

	@Override
	public Collection<String> awaiting() {
		return isShut() ? List.of() : this.host.awaiting();
	}

	@Override
	protected void began(ReconcilerFence fence) {
		settleSoon();
		watch(fence);
	}

	@Override
	protected void abandon(ReconcilerFence fence) {
		this.loop.abandon(fence);
	}

	@Override
	protected void over() {
		settleSoon();
	}

	@Override
	public boolean drain() throws InterruptedException {
		if (this.stopped && !this.stoppedByRun) {
			// The remaining runs have ignored their interrupt.
			return isQuiet();
		}
		ReconcilerFence last = fence();
		if (last != null) {
			last.drain();
		}
		boolean drained = this.loop.drain();
		if (drained && last != null) {
			last.end();
		}
		return drained;
	}

	/**
	 * Checks again when the term should be over, because the thread of the elector may be
	 * late. A request that is being sent must not be completed after the end of the term.
	 * @param fence the fence of the term, which says until when this process may write
	 */
	private void watch(ReconcilerFence fence) {
		if (hasLeft() || !fence.admitsRequests()) {
			return;
		}
		Leadership.Term renewed = leadership().term();
		Instant until = (renewed != null) ? renewed.validUntil() : Instant.MIN;
		Duration left = Duration.between(this.threads.clock().instant(), until);
		Duration wait = (left.compareTo(LEAST_WATCH) < 0) ? LEAST_WATCH
				: (left.compareTo(LONGEST_WATCH) > 0) ? LONGEST_WATCH : left;
		this.threads.timer().schedule(() -> watch(fence), wait.toNanos(), TimeUnit.NANOSECONDS);
	}

	private void settleSoon() {
		this.unsettled.incrementAndGet();
		try {
			this.threads.executor().execute(this::settle);
		}
		catch (Throwable ex) {
			logger.error("{} while starting a thread for {}; retrying", ex.getClass().getName(), this.host, ex);
			this.threads.timer().schedule(this::settle, RETRY.toNanos(), TimeUnit.NANOSECONDS);
		}
	}

	private void settle() {
		int asked = this.unsettled.get();
		ReconcilerFence wanted = fence();
		try {
			if (wanted != null && !wanted.admitsRequests()) {
				this.loop.abandon(wanted);
				wanted = null;
			}
			this.host.settle(this, wanted);
			this.unsettled.addAndGet(-asked);
			this.loop.idleSignal().changed();
		}
		catch (Throwable ex) {
			logger.error("{} failed to follow a change of the leadership; retrying", this.host, ex);
			this.threads.timer().schedule(this::settle, RETRY.toNanos(), TimeUnit.NANOSECONDS);
		}
	}

	/**
	 * Returns whether the reconciler has caught up with the latest term.
	 * @return {@code true} if no session is about to begin or end
	 */
	boolean isSettled() {
		return this.unsettled.get() == 0;
	}

	/**
	 * Returns whether a term is in progress.
	 * @return {@code true} if this process leads, as far as the reconciler knows
	 */
	boolean isLeading() {
		ReconcilerFence fence = fence();
		return fence != null && fence.admitsRequests();
	}

	/**
	 * Leaves the leadership once no run is active. Until then, this follower still
	 * notices a loss, and the Lease is not released. The caller must not hold a lock.
	 */
	void stopped() {
		this.stoppedByRun = isInCallback();
		this.stopped = true;
		deregister();
	}

	private void deregister() {
		if (!isQuiet()) {
			this.threads.timer().schedule(this::deregister, RETRY.toNanos(), TimeUnit.NANOSECONDS);
			return;
		}
		if (this.slots != null) {
			this.slots.leave();
		}
		leave();
	}

	// Returns whether no run of this follower's terms is active. Runs of a later start
	// belong to other terms.
	private boolean isQuiet() {
		return this.loop.active((fence) -> fence instanceof ReconcilerFence term && term.isOf(this)) == 0;
	}

	/**
	 * Returns whether the follower has left the leadership.
	 * @return {@code true} if the follower has left, which is final
	 */
	boolean isEnded() {
		return hasLeft();
	}

	@Override
	public boolean isInCallback() {
		return this.loop.isRunThread();
	}

	@Override
	public String toString() {
		return this.host.toString();
	}

	/**
	 * Begins and ends the sessions of a reconciler with the terms. The text of
	 * {@code toString()} names the reconciler.
	 */
	interface Host {

		/**
		 * Returns the names of the sources that are being filled for the first time.
		 * @return the names, for messages
		 */
		Collection<String> awaiting();

		/**
		 * Begins or ends a session, as the latest term requires.
		 * @param terms the caller; ignored if the reconciler has another follower by now
		 * @param fence the fence of the term in which runs may begin; {@code null} if
		 * this process does not lead
		 */
		void settle(LeadershipFollower terms, @Nullable ReconcilerFence fence);

	}

	/**
	 * Threads and clock of a follower.
	 *
	 * @param executor the single thread that follows terms
	 * @param timer runs delayed tasks
	 * @param clock the clock for the ends of terms
	 */
	record Threads(Executor executor, ScheduledExecutorService timer, Clock clock) {

	}

}
