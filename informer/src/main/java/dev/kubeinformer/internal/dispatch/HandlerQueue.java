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
import dev.kubeinformer.internal.slots.SlotPredicate;
import dev.kubeinformer.internal.store.Delta;
import dev.kubeinformer.internal.store.DeltaSink;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.types.ObjectKey;

/**
 * Queue between the store and the workers of one handler. Up to the capacity of the
 * queue, each event waits separately and in order. Above it, events of the same object
 * are {@link PendingEvents merged}. Events of one object are handed out one at a time,
 * even with several workers. A failed event returns to the queue before later events of
 * its object. Later events are merged into the failed event if possible. All events of
 * this object wait for the next attempt; other objects are not affected.
 *
 * @param <T> the model class
 */
final class HandlerQueue<T extends KubernetesObject> implements DeltaSink<T> {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	/** Signalled when the handling of an event has ended. */
	private final Condition ended = this.lock.newCondition();

	private final HandlerSync sync;

	private final PendingEvents<T> events;

	private final Recovery recovery;

	private final WorkerDemand demand;

	private final IntConsumer onDropped;

	// The fields below are guarded by the lock.

	/** Whether the application has paused delivery, which holds events back. */
	private boolean paused;

	/**
	 * Whether events are held back by a condition of the handler, for example until a
	 * cache is synced.
	 */
	private boolean held;

	/** Whether events are held back because this process hands over shard slots. */
	private boolean suspended;

	private boolean closed;

	/** Whether workers receive events without a deadline. */
	private boolean serving;

	/** Deadline of a drain, in the time of {@link System#nanoTime()}. */
	private long deadline;

	/** Number of the last start. Workers of earlier starts have lower numbers. */
	private int generation;

	/** Number of events that were dropped because the queue was closed. */
	private long dropped;

	/** Number of dropped events that have not been reported. */
	private int unreported;

	/**
	 * Creates an empty queue.
	 * @param capacity the number of events above which events of an object are merged
	 * @param nanoTime the clock
	 * @param onSynced the callback for the end of the initial state, called under locks
	 * @param onDropped the callback for the number of dropped events, called without
	 * locks
	 * @param recovery the recovery from failures outside the handler
	 * @param idle the time after which a worker without events ends
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
	public void slotsEvicted(SlotPredicate lost) {
		this.lock.lock();
		try {
			this.events.evict(lost);
			this.changed.signalAll();
			demandWorker();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Waits until no callback for an object in the given shard slots is running.
	 * @param slots the slots
	 * @param until the deadline, in the time of {@link System#nanoTime()}
	 * @return {@code true} if no such callback is running
	 * @throws InterruptedException if the thread is interrupted
	 */
	boolean awaitEnd(SlotPredicate slots, long until) throws InterruptedException {
		this.lock.lock();
		try {
			while (this.events.isHandling(slots)) {
				long left = until - System.nanoTime();
				if (left <= 0) {
					return false;
				}
				this.ended.awaitNanos(left);
			}
			return true;
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
	 * Waits for an event whose object is not being handled, and marks the object as being
	 * handled.
	 * @param generation the number of the worker's start, which {@link #serve} returned
	 * @return the event, or {@code null} if the worker must end, because the queue no
	 * longer serves it or because it was idle for too long
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
				PendingDelta<T> next = (drained || isHeldBack()) ? null : this.events.handOut();
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
	 * Requests another worker if all existing workers are busy.
	 */
	private void demandWorker() {
		if (this.serving && !isHeldBack() && this.events.size() > 0) {
			this.demand.ask(this.generation);
		}
	}

	/**
	 * Records that a requested worker is about to start.
	 * @param workers the number of the start to which the worker belongs
	 * @return {@code true} if the worker is still needed
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
	 * Records that the requested worker could not be started.
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
	 * Returns whether workers receive events without a deadline.
	 * @param workers the number of their start
	 * @return {@code true} if the workers of that start receive events without a deadline
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

	private boolean isHeldBack() {
		return this.paused || this.held || this.suspended;
	}

	private boolean isDrained() {
		return isHeldBack() || this.events.size() == 0 || System.nanoTime() - this.deadline >= 0;
	}

	/**
	 * Records whether the callback for an object has stopped its own handler and waits
	 * until the other workers have ended. Those workers must not wait for this callback
	 * in turn.
	 * @param key the object
	 * @param waits {@code true} if the callback waits
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
	 * Ends the processing of an event that was handled or has no attempts left. If this
	 * method fails, for example with an {@code OutOfMemoryError}, it can be called again;
	 * so can {@link #failed} and {@link #interrupted}.
	 * @param pending the event
	 */
	void finished(PendingDelta<T> pending) {
		this.lock.lock();
		try {
			if (pending.isInHand()) {
				this.events.finished(pending);
				this.changed.signalAll();
				this.ended.signalAll();
				demandWorker();
			}
			this.events.finishedForSync(pending);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Counts an event of the initial state as finished, so the sync does not wait for it
	 * any more.
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
	 * Returns a failed event to the queue, before later events of its object. It is
	 * handed out again after a delay. Drops the event instead if the queue was closed or
	 * the object's shard slot was lost.
	 * @param pending the event
	 * @param delay the delay
	 */
	void failed(PendingDelta<T> pending, Duration delay) {
		putBack(pending, delay, () -> pending.failed(delay));
	}

	/**
	 * Puts an event back into the queue because the handler was not called, or was
	 * interrupted at the drain timeout. It is handed out again, possibly after the next
	 * start.
	 * @param pending the event
	 * @param delay the delay
	 */
	void interrupted(PendingDelta<T> pending, Duration delay) {
		putBack(pending, delay, pending::interrupted);
	}

	private void putBack(PendingDelta<T> pending, Duration delay, Runnable note) {
		this.lock.lock();
		try {
			if (pending.isEvicted() && pending.isInHand()) {
				this.events.finished(pending);
			}
			else if (this.closed && pending.isInHand()) {
				this.events.finished(pending);
				dropped(1);
			}
			if (pending.isInHand()) {
				this.events.putBack(pending, delay, note);
			}
			else if (this.closed || pending.isEvicted()) {
				this.events.finishedForSync(pending);
			}
			this.changed.signalAll();
			this.ended.signalAll();
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
	 * Starts to hand out events to the workers of a new start. If a worker of an earlier
	 * start returns late from its handler, it receives no more events.
	 * @param timer the timer that wakes the queue when a retry is due, and starts
	 * requested workers
	 * @param start the function that starts a worker, given the number of the start
	 * @return the number of the start
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
	 * Hands out events to workers only until a deadline. The remaining events, and failed
	 * events whose retry is not due, are kept.
	 * @param deadline the deadline, in the time of {@link System#nanoTime()}
	 * @return the work that is left, and the workers to start for it because idle workers
	 * have ended
	 */
	Missing drain(long deadline) {
		this.lock.lock();
		try {
			this.serving = false;
			this.deadline = deadline;
			this.sync.stopping();
			this.events.stopRetries();
			this.changed.signalAll();
			int waiting = isDrained() ? 0 : this.events.size();
			int missing = (waiting > 0) ? this.demand.takeIn(waiting) : 0;
			return new Missing(this.generation, missing, this.events.running(), waiting);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Rejects all later events.
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
	 * Drops the waiting events, and ends the waits for the sync.
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

	// Call the listener without the lock.
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
	 * Holds events back or releases them, independently of a pause.
	 * @param held {@code true} to hold events back; {@code false} to release them
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

	/**
	 * Holds events back or releases them because this process is losing shard slots,
	 * independently of {@link #hold} and a pause.
	 * @param suspended {@code true} to hold events back; {@code false} to release them
	 */
	void suspend(boolean suspended) {
		this.lock.lock();
		try {
			this.suspended = suspended;
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
	 * Returns a consistent status of the handler: each event is either in the queue,
	 * being handled, or counted with its outcome.
	 * @param invoker the invoker, which counts the outcomes
	 * @return the status
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
	 * Workers that must be started, and the work that is left.
	 *
	 * @param generation the number of the start to which the workers belong
	 * @param workers the number of workers
	 * @param running the number of running callbacks
	 * @param waiting the number of events to be handled before the deadline
	 */
	record Missing(int generation, int workers, int running, int waiting) {

	}

}
