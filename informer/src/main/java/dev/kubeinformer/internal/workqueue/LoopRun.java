package dev.kubeinformer.internal.workqueue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.internal.transport.Fence;
import dev.kubeinformer.leader.LeadershipLostException;
import dev.kubeinformer.types.ObjectKey;

/**
 * Run of a key by a worker. A run that has ended cannot be cancelled any more, so an
 * interrupt never reaches a later run of the same thread.
 */
final class LoopRun implements KeyRun {

	private static final Logger logger = LoggerFactory.getLogger(ReconcileLoop.class);

	private static final int NO_SLOT = -1;

	final TakenKey handOut;

	/** Workers to which the thread of this run belongs. */
	final LoopState.Group group;

	/** Queue from which the key was taken. */
	final KeyQueue queue;

	private final LoopState state;

	private final Fence fence = new RunFence();

	final Thread thread = Thread.currentThread();

	/**
	 * Observer of the run, for example a trace span; set by the worker before the run
	 * begins.
	 */
	private RunObservation observation = RunObservation.NONE;

	private final List<Runnable> cancels = new ArrayList<>(1);

	/**
	 * Whether the run was cancelled by its timeout; volatile, because the loop reads it
	 * under its lock and must not wait for a cancellation.
	 */
	private volatile boolean timedOut;

	private volatile boolean stopped;

	private volatile RunStep step = RunStep.RECONCILE;

	/**
	 * Minimum time from the start of this run to the next run, in nanoseconds; set by the
	 * run's thread.
	 */
	private long interval;

	private boolean ended;

	/**
	 * Slot to which the object belongs, or {@link #NO_SLOT}. Changed by the run's thread
	 * under the lock of the loop.
	 */
	private int slot = NO_SLOT;

	/**
	 * Time since which the requests of this run are refused; {@link KeyQueue#NEVER} while
	 * they are admitted.
	 */
	private volatile long refusedAt = KeyQueue.NEVER;

	LoopRun(TakenKey handOut, LoopState state, LoopState.Group group) {
		this.handOut = handOut;
		this.queue = state.queue;
		this.state = state;
		this.group = group;
	}

	@Override
	public ObjectKey key() {
		return this.handOut.entry().key;
	}

	@Override
	public int attempt() {
		return this.handOut.attempt();
	}

	@Override
	public QueueLane lane() {
		return this.handOut.lane();
	}

	@Override
	public Duration queueTime() {
		return Duration.ofNanos(this.handOut.takenAt() - this.handOut.readySince());
	}

	@Override
	public boolean ownWritesTimedOut() {
		ParkedKey parked = this.handOut.parked();
		return parked != null && !parked.seen;
	}

	@Override
	public Fence fence() {
		return this.fence;
	}

	@Override
	public boolean isIn(int which) {
		return this.slot == which;
	}

	@Override
	public boolean enter(int entered) {
		this.state.lock.lock();
		try {
			if (!this.state.admitted.get(entered)) {
				return false;
			}
			this.slot = entered;
			return true;
		}
		finally {
			this.state.lock.unlock();
		}
	}

	/**
	 * Returns whether the object of the run belongs to one of the given slots. The caller
	 * holds the lock of the loop.
	 * @param slots the indexes of the slots
	 * @return {@code true} if the object belongs to one of them
	 */
	boolean isInAny(Set<Integer> slots) {
		return this.slot != NO_SLOT && slots.contains(this.slot);
	}

	/**
	 * Refuses all further requests of this run.
	 * @param now the time
	 */
	void refuse(long now) {
		if (!isRefused()) {
			this.refusedAt = now;
		}
	}

	boolean isRefused() {
		return this.refusedAt != KeyQueue.NEVER;
	}

	long refusedAt() {
		return this.refusedAt;
	}

	@Override
	public void slowDown(long next) {
		this.interval = next;
	}

	long interval() {
		return this.interval;
	}

	@Override
	public synchronized void onCancel(Runnable cancel) {
		if (this.timedOut || this.stopped) {
			cancel(cancel);
		}
		else if (!this.ended) {
			this.cancels.add(cancel);
		}
	}

	@Override
	public void begins(RunStep next) {
		this.step = next;
		this.observation.begin();
	}

	void observe(RunObservation taken) {
		this.observation = taken;
	}

	@Override
	public RunObservation observation() {
		return this.observation;
	}

	@Override
	public RunStep step() {
		return this.step;
	}

	@Override
	public boolean timedOut() {
		return this.timedOut;
	}

	/**
	 * Returns whether the run was cancelled because the loop is stopped.
	 * @return {@code true} if the loop stopped it
	 */
	boolean stopped() {
		return this.stopped;
	}

	/** Cancels the run because it timed out. */
	synchronized void timeOut() {
		if (!this.ended) {
			this.timedOut = true;
			interrupt();
		}
	}

	/** Cancels the run because the loop is stopped. */
	synchronized void stop() {
		if (!this.ended) {
			this.stopped = true;
			interrupt();
		}
	}

	private void interrupt() {
		this.cancels.forEach(this::cancel);
		this.cancels.clear();
		this.thread.interrupt();
	}

	private void cancel(Runnable cancel) {
		try {
			cancel.run();
		}
		catch (Throwable ex) {
			logger.warn("A request of the run for '{}' could not be cancelled", key(), ex);
		}
	}

	/** Ends the run, so that it cannot be cancelled any more. Called by its thread. */
	void end() {
		synchronized (this) {
			this.ended = true;
			this.cancels.clear();
		}
		// A late interrupt must not reach the next run.
		Thread.interrupted();
	}

	@Override
	public String toString() {
		return "run for '%s'".formatted(key());
	}

	/**
	 * Fence of the loop, which also refuses requests of this run once its slot is lost or
	 * handed over.
	 */
	private final class RunFence implements Fence {

		@Override
		public boolean admitsRuns() {
			return LoopRun.this.group.fence.admitsRuns() && !isRefused();
		}

		@Override
		public boolean admitsRequests() {
			return LoopRun.this.group.fence.admitsRequests() && !isRefused();
		}

		@Override
		public RuntimeException refusal(String what) {
			return isRefused()
					? new LeadershipLostException(
							"%s was refused, because slot %d is lost or handed over, in which the %s began"
								.formatted(what, LoopRun.this.slot, LoopRun.this))
					: LoopRun.this.group.fence.refusal(what);
		}

	}

}
