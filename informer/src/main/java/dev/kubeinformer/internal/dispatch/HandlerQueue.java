package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.handler.HandlerStatus;
import dev.kubeinformer.internal.store.Delta;
import dev.kubeinformer.internal.store.DeltaSink;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.types.ObjectKey;

/**
 * Queue of one handler, between the store and the handler's workers. While the handler
 * keeps up, every event waits by itself and in order; beyond the capacity, events of the
 * same object are {@link PendingEvents merged}. Events of one object are handed out one
 * after the other, whatever the number of workers. A failed event goes back into the
 * queue before those that came after it, and takes them in as far as they can be
 * delivered as one; its object waits for the next attempt, all others go on.
 *
 * @param <T> the model class
 */
final class HandlerQueue<T extends KubernetesObject> implements DeltaSink<T> {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final HandlerSync sync;

	private final PendingEvents<T> events;

	private final Recovery recovery;

	private final WorkerDemand demand;

	private final IntConsumer onDropped;

	// The fields below are guarded by the lock.

	/** Whether the user holds events back. */
	private boolean paused;

	/** Whether a gate holds events back. */
	private boolean held;

	private boolean closed;

	/** Whether workers take events without a deadline. */
	private boolean serving;

	/** Time at which a drain ends, as by {@link System#nanoTime()}. */
	private long deadline;

	/** Number of the last start, by which the queue knows its workers. */
	private int generation;

	/** Number of events that a close dropped. */
	private long dropped;

	/** Number of dropped events that were not reported yet. */
	private int unreported;

	/**
	 * Creates an empty queue.
	 * @param capacity the number of events beyond which events of an object are merged
	 * @param nanoTime the clock
	 * @param onSynced called under locks when the initial state is finished
	 * @param onDropped called outside of locks with the number of events that were
	 * dropped
	 * @param recovery takes what fails beside the handler
	 * @param idle how long a worker waits for an event before it ends
	 */
	HandlerQueue(int capacity, LongSupplier nanoTime, Runnable onSynced, IntConsumer onDropped, Recovery recovery,
			Duration idle) {
		this.recovery = recovery;
		this.demand = new WorkerDemand(this.changed, idle, recovery);
		this.sync = new HandlerSync(onSynced);
		this.events = new PendingEvents<>(capacity, nanoTime, this::retryDue, this.sync, recovery);
		this.onDropped = onDropped;
	}

	@Override
	public void delta(Delta<T> delta) {
		this.lock.lock();
		try {
			if (!this.closed && this.events.add(delta)) {
				this.changed.signal();
				demandWorker();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void resync(StoredObject<T> object) {
		this.lock.lock();
		try {
			if (!this.closed && this.events.addResync(object)) {
				this.changed.signal();
				demandWorker();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void initialStateComplete() {
		this.sync.stateComplete();
	}

	@Override
	public void initialStateReset() {
		this.sync.reset();
	}

	/**
	 * Waits for an event whose object is not being handled, and marks its object as being
	 * handled.
	 * @param generation what {@link #serve} gave the worker
	 * @return the event, or {@code null} if the queue does not serve that worker any
	 * more, or has had no event for it for so long that it shall end
	 */
	@Nullable PendingDelta<T> take(int generation) throws InterruptedException {
		PendingDelta<T> next = await(generation);
		if (next == null) {
			reportDropped();
		}
		return next;
	}

	private @Nullable PendingDelta<T> await(int generation) throws InterruptedException {
		this.lock.lock();
		try {
			boolean idle = false;
			while (generation == this.generation) {
				boolean draining = !this.serving;
				boolean drained = draining && isDrained();
				PendingDelta<T> next = (drained || this.paused || this.held) ? null : this.events.handOut();
				if (next != null) {
					demandWorker();
					return next;
				}
				if (!draining) {
					if (idle && this.demand.end()) {
						return null;
					}
					idle = this.demand.isIdle();
				}
				else if (!drained && this.events.isAnyBehindBusy()) {
					this.changed.awaitNanos(Math.max(1, this.deadline - System.nanoTime()));
				}
				else {
					if (this.closed && (drained || !this.events.isHandling())) {
						drop();
					}
					return null;
				}
			}
			return null;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Asks for a worker if all that are there have something to do.
	 */
	private void demandWorker() {
		if (this.serving && !this.paused && !this.held && this.events.size() > 0) {
			this.demand.ask(this.generation);
		}
	}

	/**
	 * Notes that a worker that was asked for comes.
	 * @param workers its generation
	 * @return whether it is wanted any more
	 */
	boolean takeIn(int workers) {
		this.lock.lock();
		try {
			boolean wanted = this.serving && workers == this.generation;
			if (wanted) {
				this.demand.takeIn();
			}
			return wanted;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Notes that the worker that was to come could not be started.
	 */
	void takeBack() {
		this.lock.lock();
		try {
			this.demand.takeBack();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns whether workers take events without a deadline.
	 * @param workers their generation
	 * @return whether they do
	 */
	boolean isServing(int workers) {
		this.lock.lock();
		try {
			return this.serving && workers == this.generation;
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean isDrained() {
		return this.paused || this.held || this.events.size() == 0 || System.nanoTime() - this.deadline >= 0;
	}

	/**
	 * Notes that the callback for an object waits for the end of the other workers, or
	 * does not any more, so that they do not wait for it in turn.
	 * @param key the object
	 * @param waits whether it waits
	 */
	void ending(ObjectKey key, boolean waits) {
		this.lock.lock();
		try {
			this.events.ending(key, waits);
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Ends the handling of an event: it was handled, or is given up. Like {@link #failed}
	 * and {@link #interrupted}, it can be called again if it failed itself, such as for
	 * want of memory.
	 * @param pending the event
	 */
	void finished(PendingDelta<T> pending) {
		this.lock.lock();
		try {
			if (pending.isInHand()) {
				this.events.finished(pending);
				this.changed.signalAll();
				demandWorker();
			}
			this.events.finishedForSync(pending);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Ends the wait of the sync for an event.
	 * @param pending the event
	 */
	void finishedForSync(PendingDelta<T> pending) {
		this.lock.lock();
		try {
			this.events.finishedForSync(pending);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Puts an event that failed back, to be handed out again. Unless the queue was closed
	 * meanwhile, it waits for that, first of its object.
	 * @param pending the event
	 * @param delay how long it waits
	 */
	void failed(PendingDelta<T> pending, Duration delay) {
		putBack(pending, delay, () -> pending.failed(delay));
	}

	/**
	 * Puts an event back whose handler was interrupted by a stop, or not called at all.
	 * It is handed out again, after the next start if there is one.
	 * @param pending the event
	 * @param delay how long it waits
	 */
	void interrupted(PendingDelta<T> pending, Duration delay) {
		putBack(pending, delay, pending::interrupted);
	}

	private void putBack(PendingDelta<T> pending, Duration delay, Runnable note) {
		this.lock.lock();
		try {
			if (this.closed && pending.isInHand()) {
				this.events.finished(pending);
				dropped(1);
			}
			if (pending.isInHand()) {
				this.events.putBack(pending, delay, note);
			}
			else if (this.closed) {
				this.events.finishedForSync(pending);
			}
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void retryDue() {
		this.recovery.insist(this::queueDue, this::isServing);
	}

	private void queueDue() {
		this.lock.lock();
		try {
			this.events.queueDue();
		}
		finally {
			this.changed.signalAll();
			demandWorker();
			this.lock.unlock();
		}
	}

	private boolean isServing() {
		this.lock.lock();
		try {
			return this.serving;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Lets new workers take events. Those of an earlier start get none any more, should
	 * one come back late from its handler.
	 * @param timer wakes the queue when a retry is due, and starts workers that are asked
	 * for
	 * @param start starts a worker of a generation
	 * @return the generation of the new workers
	 */
	int serve(ScheduledExecutorService timer, IntConsumer start) {
		this.lock.lock();
		try {
			this.serving = true;
			this.demand.begin(timer, start);
			this.sync.started();
			this.events.startRetries(timer);
			this.changed.signalAll();
			return ++this.generation;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Lets workers take events until a deadline only. What is left then stays, and so do
	 * failed events whose retry is not due.
	 * @param deadline the deadline, as by {@link System#nanoTime()}
	 * @return the workers that have to be started for that, as they have ended before
	 */
	Missing drain(long deadline) {
		this.lock.lock();
		try {
			this.serving = false;
			this.deadline = deadline;
			this.sync.stopping();
			this.events.stopRetries();
			this.changed.signalAll();
			int missing = isDrained() ? 0 : this.demand.takeIn(this.events.size());
			return new Missing(this.generation, missing);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Takes no more events.
	 */
	void close() {
		this.lock.lock();
		try {
			this.closed = true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Drops what waits, and ends the waits for the sync.
	 */
	void clear() {
		this.lock.lock();
		try {
			drop();
		}
		finally {
			this.lock.unlock();
		}
		this.sync.cancel();
		reportDropped();
	}

	private void drop() {
		dropped(this.events.size());
		this.events.clear();
	}

	private void dropped(int count) {
		this.dropped += count;
		this.unreported += count;
	}

	// Outside of the lock.
	private void reportDropped() {
		int count;
		this.lock.lock();
		try {
			count = this.unreported;
			this.unreported = 0;
		}
		finally {
			this.lock.unlock();
		}
		if (count > 0) {
			this.onDropped.accept(count);
		}
	}

	void pause(boolean paused) {
		this.lock.lock();
		try {
			this.paused = paused;
			this.changed.signalAll();
			demandWorker();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Holds events back, or lets them go on, whether or not the queue is paused.
	 * @param held whether to hold them back
	 */
	void hold(boolean held) {
		this.lock.lock();
		try {
			this.held = held;
			this.changed.signalAll();
			demandWorker();
		}
		finally {
			this.lock.unlock();
		}
	}

	HandlerSync sync() {
		return this.sync;
	}

	/**
	 * Returns the state of the handler at one instant: the handler was called with every
	 * event that is not in the queue or in hand, and the outcome is counted.
	 * @param invoker counts what became of the events
	 * @return the state
	 */
	HandlerStatus status(HandlerInvoker<T> invoker) {
		this.lock.lock();
		try {
			return new HandlerStatus(this.sync.status(), this.events.status(this.dropped), invoker.deliveries(),
					this.paused, this.events.handling(), invoker.lastFailure());
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Workers that are missing.
	 *
	 * @param generation their generation
	 * @param workers how many they are
	 */
	record Missing(int generation, int workers) {

	}

}
