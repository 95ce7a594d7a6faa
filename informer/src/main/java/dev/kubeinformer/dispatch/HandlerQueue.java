package dev.kubeinformer.dispatch;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.store.Delta;
import dev.kubeinformer.store.DeltaSink;
import dev.kubeinformer.store.ObjectKey;
import dev.kubeinformer.store.StoredObject;

/**
 * The events that wait for one handler. While the handler keeps up, every event waits by
 * itself and in order. Beyond the capacity, events of the same object are merged, so that
 * the queue never holds more than its capacity and two events for each further object.
 * Events of one object are handed out one after the other, whatever the number of
 * workers. A failed event goes back into the queue before those that came after it, and
 * takes them in as far as they can be told as one; its object waits for the next attempt,
 * all others go on.
 *
 * @param <T> the model class
 */
final class HandlerQueue<T> implements DeltaSink<T> {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final HandlerSync sync;

	private final RetrySchedule<T> retries;

	private final LongSupplier nanoTime;

	private final int capacity;

	private final PendingOrder<T> order;

	private long merged;

	private long dropped;

	private final IntConsumer onDropped;

	/** The number of dropped events of which nobody was told. */
	private int untold;

	private boolean paused;

	private boolean closed;

	private boolean serving;

	private long deadline;

	private int generation;

	/**
	 * Creates an empty queue.
	 * @param capacity the number of events beyond which events of an object are merged
	 * @param nanoTime the clock
	 * @param onSynced called under locks when the initial state is finished
	 * @param onDropped called outside of locks with the number of events that were
	 * dropped
	 */
	HandlerQueue(int capacity, LongSupplier nanoTime, Runnable onSynced, IntConsumer onDropped) {
		this.onDropped = onDropped;
		this.capacity = capacity;
		this.nanoTime = nanoTime;
		this.sync = new HandlerSync(onSynced);
		this.retries = new RetrySchedule<>(nanoTime, this::retryDue);
		this.order = new PendingOrder<>(this.retries);
	}

	@Override
	public void delta(Delta<T> delta) {
		this.lock.lock();
		try {
			if (this.closed) {
				return;
			}
			if (delta.initial()) {
				this.sync.eventQueued();
			}
			ObjectKey key = delta.subject().key();
			PendingDelta<T> last = this.order.youngest(key);
			if (last != null && last.isReplaceable()) {
				this.order.remove(last);
				last = this.order.youngest(key);
			}
			PendingDelta<T> pending = PendingDelta.of(delta);
			boolean merging = this.order.size() >= this.capacity || this.retries.contains(key);
			if (!merging || !merge(last, pending)) {
				pending.queuedAt(this.nanoTime.getAsLong());
				append(pending);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean merge(@Nullable PendingDelta<T> last, PendingDelta<T> later) {
		PendingDelta.Merge merge = (last != null) ? last.merge(later) : PendingDelta.Merge.IMPOSSIBLE;
		if (last == null || merge == PendingDelta.Merge.IMPOSSIBLE) {
			return false;
		}
		this.merged++;
		if (merge == PendingDelta.Merge.ANNIHILATED) {
			this.order.remove(last);
			this.sync.eventsFinished(last.takeTickets());
		}
		else {
			this.retries.changed(last);
		}
		return true;
	}

	@Override
	public void resync(StoredObject<T> object) {
		this.lock.lock();
		try {
			if (!this.closed && this.order.youngest(object.key()) == null) {
				PendingDelta<T> pending = PendingDelta.resync(object);
				pending.queuedAt(this.nanoTime.getAsLong());
				append(pending);
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

	private void append(PendingDelta<T> pending) {
		this.order.append(pending);
		this.changed.signal();
	}

	/**
	 * Waits for an event whose object is not being handled, and marks its object as being
	 * handled.
	 * @param generation what {@link #serve()} gave the worker
	 * @return the event, or {@code null} if the queue does not serve that worker any more
	 */
	@Nullable PendingDelta<T> take(int generation) throws InterruptedException {
		PendingDelta<T> next = await(generation);
		if (next == null) {
			tellDropped();
		}
		return next;
	}

	private @Nullable PendingDelta<T> await(int generation) throws InterruptedException {
		this.lock.lock();
		try {
			while (generation == this.generation) {
				boolean draining = !this.serving;
				boolean drained = draining && isDrained();
				PendingDelta<T> next = (drained || this.paused) ? null : this.order.handOut();
				if (next != null) {
					return next;
				}
				if (!draining) {
					this.changed.await();
				}
				else if (!drained && this.order.isAnyBehindBusy()) {
					this.changed.awaitNanos(Math.max(1, this.deadline - System.nanoTime()));
				}
				else {
					if (this.closed && (drained || this.order.handling() == null)) {
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

	private boolean isDrained() {
		return this.paused || this.order.size() == 0 || System.nanoTime() - this.deadline >= 0;
	}

	/**
	 * Says that the callback for an object waits for the end of the other workers, or
	 * does not any more, so that they do not wait for it in turn.
	 * @param key the object
	 * @param waits whether it waits
	 */
	void ending(ObjectKey key, boolean waits) {
		this.lock.lock();
		try {
			this.order.ending(key, waits);
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Says that a worker is done with an event: it was handled, or is given up.
	 * @param pending the event
	 */
	void finished(PendingDelta<T> pending) {
		this.lock.lock();
		try {
			this.order.finished(pending.key());
			this.changed.signalAll();
			finishedForSync(pending);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Says that the sync shall not wait for an event any longer.
	 * @param pending the event
	 */
	void finishedForSync(PendingDelta<T> pending) {
		this.lock.lock();
		try {
			this.sync.eventsFinished(pending.takeTickets());
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Says that an event failed and shall be handed out again. Unless the queue was
	 * closed meanwhile, it waits for that, first of its object.
	 * @param pending the event
	 * @param delay how long it waits
	 */
	void failed(PendingDelta<T> pending, Duration delay) {
		putBack(pending, delay, () -> pending.failed(delay));
	}

	/**
	 * Says that a stop interrupted the handler of an event, which shall be handed out
	 * again after the next start.
	 * @param pending the event
	 */
	void interrupted(PendingDelta<T> pending) {
		putBack(pending, Duration.ZERO, pending::interrupted);
	}

	private void putBack(PendingDelta<T> pending, Duration delay, Runnable note) {
		this.lock.lock();
		try {
			if (this.closed) {
				this.dropped++;
				this.untold++;
				finished(pending);
				return;
			}
			this.order.failed(pending.key());
			// First those that came later: they would lead to one that waits again.
			List<PendingDelta<T>> later = this.order.removeAll(pending.key());
			note.run();
			pending.queuedAt(this.nanoTime.getAsLong());
			this.order.putBack(pending);
			this.retries.add(pending, delay);
			for (PendingDelta<T> each : later) {
				if (!each.isReplaceable() && !merge(this.order.youngest(pending.key()), each)) {
					append(each);
				}
			}
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void retryDue() {
		this.lock.lock();
		try {
			this.order.due(this.retries.takeDue());
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Lets new workers take events, and sends those of an earlier start away, should one
	 * come back late from its handler.
	 * @param timer wakes the queue when a retry is due
	 * @return the generation of the new workers
	 */
	int serve(ScheduledExecutorService timer) {
		this.lock.lock();
		try {
			this.serving = true;
			this.retries.start(timer);
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
	 */
	void drain(long deadline) {
		this.lock.lock();
		try {
			this.serving = false;
			this.deadline = deadline;
			this.retries.stop();
			this.changed.signalAll();
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
	 * Drops what waits, and lets nobody wait for the sync.
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
		tellDropped();
	}

	private void tellDropped() {
		int count;
		this.lock.lock();
		try {
			count = this.untold;
			this.untold = 0;
		}
		finally {
			this.lock.unlock();
		}
		if (count > 0) {
			this.onDropped.accept(count);
		}
	}

	private void drop() {
		this.dropped += this.order.size();
		this.untold += this.order.size();
		this.retries.clear();
		this.order.clear();
	}

	void pause(boolean paused) {
		this.lock.lock();
		try {
			this.paused = paused;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	HandlerSync sync() {
		return this.sync;
	}

	HandlerFigures figures() {
		this.lock.lock();
		try {
			return new HandlerFigures(this.order.size(), this.retries.size(), this.merged, this.dropped,
					this.order.handling());
		}
		finally {
			this.lock.unlock();
		}
	}

	boolean isPaused() {
		this.lock.lock();
		try {
			return this.paused;
		}
		finally {
			this.lock.unlock();
		}
	}

}
