package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.store.Delta;
import dev.kubeinformer.internal.store.DeltaSink;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.types.ObjectKey;

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

	private final Recovery recovery;

	private long merged;

	private long dropped;

	private final IntConsumer onDropped;

	/** The number of dropped events of which nobody was told. */
	private int untold;

	private boolean paused;

	private boolean held;

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
	 * @param recovery takes what fails beside the handler
	 */
	HandlerQueue(int capacity, LongSupplier nanoTime, Runnable onSynced, IntConsumer onDropped, Recovery recovery) {
		this.recovery = recovery;
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
			if (!delta.initial()) {
				add(delta);
				return;
			}
			this.sync.eventQueued();
			try {
				add(delta);
			}
			catch (RuntimeException | Error ex) {
				this.sync.eventNotQueued();
				throw ex;
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void add(Delta<T> delta) {
		ObjectKey key = delta.subject().key();
		PendingDelta<T> last = this.order.youngest(key);
		if (last != null && last.isReplaceable()) {
			this.order.remove(last);
			last = this.order.youngest(key);
		}
		PendingDelta<T> pending = PendingDelta.of(delta);
		boolean merging = last != null && (this.order.size() >= this.capacity || this.retries.contains(key));
		PendingDelta.Merge merge = merging ? merge(last, pending) : PendingDelta.Merge.IMPOSSIBLE;
		switch (merge) {
			case IMPOSSIBLE -> {
				pending.queuedAt(this.nanoTime.getAsLong());
				append(pending);
			}
			case ANNIHILATED -> this.order.remove(Objects.requireNonNull(last));
			case MERGED -> waitNoLonger(Objects.requireNonNull(last));
		}
	}

	/**
	 * Merges an event into one that waits.
	 * @param last the one that waits
	 * @param later the event, which is not needed any more if they were merged
	 * @return what became of them; the caller removes the first if it was annihilated
	 */
	private PendingDelta.Merge merge(PendingDelta<T> last, PendingDelta<T> later) {
		PendingDelta.Merge merge = last.merge(later);
		if (merge == PendingDelta.Merge.ANNIHILATED) {
			this.sync.eventsFinished(last.tickets() + later.tickets());
		}
		if (merge != PendingDelta.Merge.IMPOSSIBLE) {
			this.merged++;
		}
		return merge;
	}

	private void waitNoLonger(PendingDelta<T> changed) {
		try {
			this.retries.changed(changed);
		}
		catch (RuntimeException | Error ex) {
			// It waits as long as before.
			this.recovery.report(ex);
		}
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
				PendingDelta<T> next = (drained || this.paused || this.held) ? null : this.order.handOut();
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
		return this.paused || this.held || this.order.size() == 0 || System.nanoTime() - this.deadline >= 0;
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
	 * Says that a worker is done with an event: it was handled, or is given up. Like
	 * {@link #failed} and {@link #interrupted}, it can be called again if it failed
	 * itself, such as for want of memory.
	 * @param pending the event
	 */
	void finished(PendingDelta<T> pending) {
		this.lock.lock();
		try {
			if (pending.isInHand()) {
				this.order.finished(pending.key());
				pending.settled();
				this.changed.signalAll();
			}
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
			this.sync.eventsFinished(pending.tickets());
			pending.clearTickets();
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
	 * Says that the handler of an event was interrupted by a stop, or not called at all,
	 * so that the event shall be handed out again, after the next start if there is one.
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
				this.order.finished(pending.key());
				pending.settled();
				this.dropped++;
				this.untold++;
			}
			if (pending.isInHand()) {
				long now = this.nanoTime.getAsLong();
				List<PendingDelta<T>> later = this.order.waiting(pending.key());
				putBack(pending, delay, later);
				note.run();
				pending.queuedAt(now);
				mergeInto(pending, later);
			}
			else if (this.closed) {
				finishedForSync(pending);
			}
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void putBack(PendingDelta<T> pending, Duration delay, List<PendingDelta<T>> later) {
		this.retries.add(pending, delay);
		try {
			this.order.putBack(pending, later);
		}
		catch (RuntimeException | Error ex) {
			this.retries.remove(pending);
			throw ex;
		}
	}

	/**
	 * Merges those that came later into an event that failed: they would lead to one that
	 * waits again. What cannot be merged stays behind it.
	 * @param failed the event
	 * @param later the others, oldest first
	 */
	private void mergeInto(PendingDelta<T> failed, List<PendingDelta<T>> later) {
		int kept = 0;
		int next = 0;
		try {
			for (; next < later.size(); next++) {
				PendingDelta<T> each = later.get(next);
				PendingDelta<T> last = (kept > 0) ? later.get(kept - 1) : failed;
				PendingDelta.Merge merge = each.isReplaceable() ? PendingDelta.Merge.MERGED : merge(last, each);
				if (merge == PendingDelta.Merge.IMPOSSIBLE) {
					later.set(kept++, each);
					continue;
				}
				this.order.drop(each);
				if (merge == PendingDelta.Merge.ANNIHILATED) {
					this.order.drop(last);
					kept--;
				}
				else if (last == failed && !each.isReplaceable()) {
					waitNoLonger(failed);
				}
			}
		}
		catch (RuntimeException | Error ex) {
			// They come one after the other then.
			this.recovery.report(ex);
		}
		finally {
			while (next < later.size()) {
				later.set(kept++, later.get(next++));
			}
			this.order.link(failed, later, kept);
		}
	}

	private void retryDue() {
		this.recovery.insist(this::queueDue, this::isServing);
	}

	private void queueDue() {
		this.lock.lock();
		try {
			this.retries.takeDue(this.order::due);
		}
		finally {
			this.changed.signalAll();
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
	 * Lets new workers take events, and sends those of an earlier start away, should one
	 * come back late from its handler.
	 * @param timer wakes the queue when a retry is due
	 * @return the generation of the new workers
	 */
	int serve(ScheduledExecutorService timer) {
		this.lock.lock();
		try {
			this.serving = true;
			this.sync.started();
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
			this.sync.stopping();
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

	/**
	 * Holds events back, or lets them go on, whether or not the queue is paused.
	 * @param held whether to hold them back
	 */
	void hold(boolean held) {
		this.lock.lock();
		try {
			this.held = held;
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
