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
 * Terms of a reconciler with leadership, from its start to its stop. What must happen at
 * once when a term is over is done by the thread that says so. What takes its time, such
 * as to connect sources, is done by one thread of the reconciler, which always heads for
 * the latest term: calls may come faster than it follows. Safe for use by several
 * threads.
 */
final class LeadershipFollower extends TermFollower implements CallbackAware {

	private static final Logger logger = LoggerFactory.getLogger(ReconcilerContainer.class);

	private static final Duration LEAST_WATCH = Duration.ofMillis(10);

	/** A wall clock that was set back makes a term seem longer. */
	private static final Duration LONGEST_WATCH = Duration.ofMinutes(1);

	private static final Duration RETRY = Duration.ofSeconds(1);

	private final Host host;

	private final ReconcileLoop loop;

	private final Threads threads;

	/** How often it was asked to follow the latest term, and did not yet. */
	private final AtomicInteger unsettled = new AtomicInteger();

	private volatile boolean stopped;

	/** Whether a run has requested the stop, which then did not wait for the run. */
	private volatile boolean stoppedByRun;

	/**
	 * Creates the terms of a reconciler that was just started.
	 * @param leadership who decides
	 * @param host what begins and ends
	 * @param loop the loop of the reconciler
	 * @param threads does what takes time or is due
	 */
	LeadershipFollower(Leadership leadership, Host host, ReconcileLoop loop, Threads threads) {
		super(leadership);
		this.host = host;
		this.loop = loop;
		this.threads = threads;
	}

	@Override
	public void register() {
		super.register();
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
			// Runs that are left have ignored their interrupt.
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
	 * Watches the end of a term by its own means: the thread of an elector may be late,
	 * and a request that is being sent must not be sent on.
	 * @param fence the fence of the term
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
			logger.error("{} in '{}' for want of a thread; it is tried again", ex.getClass().getName(), this.host, ex);
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
			logger.error("{} cannot follow the leadership; it is tried again", this.host, ex);
			this.threads.timer().schedule(this::settle, RETRY.toNanos(), TimeUnit.NANOSECONDS);
		}
	}

	/**
	 * Returns whether the reconciler has followed the latest term.
	 * @return whether nothing is about to begin or end
	 */
	boolean isSettled() {
		return this.unsettled.get() == 0;
	}

	/**
	 * Returns whether a term goes on.
	 * @return whether this process leads, as far as the reconciler knows
	 */
	boolean isLeading() {
		ReconcilerFence fence = fence();
		return fence != null && fence.admitsRequests();
	}

	/**
	 * Ends the part once no run is under way any more. Until then a loss is noticed, and
	 * the Lease is not released. The caller holds no lock.
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
		leave();
	}

	// Runs of a later start are those of its own terms.
	private boolean isQuiet() {
		return this.loop.active((fence) -> fence instanceof ReconcilerFence term && term.isOf(this)) == 0;
	}

	/**
	 * Returns whether the part has ended.
	 * @return whether it has, for ever
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
	 * What begins and ends with terms. Its text names the reconciler.
	 */
	interface Host {

		/**
		 * Returns what is being filled for the first time.
		 * @return names for people
		 */
		Collection<String> awaiting();

		/**
		 * Has runs begin or end.
		 * @param terms who asks, which may have been replaced since
		 * @param fence the fence of the term in which runs may begin; {@code null} if
		 * this process does not lead
		 */
		void settle(LeadershipFollower terms, @Nullable ReconcilerFence fence);

	}

	/**
	 * Threads and the clock.
	 *
	 * @param executor follows terms, by one thread
	 * @param timer does what is due
	 * @param clock the clock of the ends of terms
	 */
	record Threads(Executor executor, ScheduledExecutorService timer, Clock clock) {

	}

}
