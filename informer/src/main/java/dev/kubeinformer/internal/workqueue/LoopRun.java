package dev.kubeinformer.internal.workqueue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.internal.transport.Fence;
import dev.kubeinformer.types.ObjectKey;

/**
 * Run of a worker. Cancellation and the end of the run exclude each other, so an
 * interrupt never reaches a later run of the same thread.
 */
final class LoopRun implements KeyRun {

	private static final Logger logger = LoggerFactory.getLogger(ReconcileLoop.class);

	final TakenKey handOut;

	/** Workers of the start of the loop that the run belongs to. */
	final LoopState.Group group;

	/** Queue from which the key was taken. */
	final KeyQueue queue;

	final Thread thread = Thread.currentThread();

	/** Set by the worker before the run begins. */
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
	 * Minimum time to the start of the next run, in nanoseconds; set by the run's thread.
	 */
	private long interval;

	private boolean ended;

	LoopRun(TakenKey handOut, KeyQueue queue, LoopState.Group group) {
		this.handOut = handOut;
		this.queue = queue;
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
		return this.group.fence;
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

}
