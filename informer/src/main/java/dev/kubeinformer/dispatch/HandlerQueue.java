package dev.kubeinformer.dispatch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
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

	private final HandlerSync sync = new HandlerSync();

	private final RetrySchedule<T> retries;

	private final int capacity;

	/** What waits, oldest first. */
	private final Set<PendingDelta<T>> ready = new LinkedHashSet<>();

	/**
	 * What waited for its object, and may be handled now: older than all that is ready.
	 */
	private final Set<PendingDelta<T>> freed = new LinkedHashSet<>();

	/**
	 * Objects that are being handled, wait for a retry or have an event in
	 * {@link #freed}, with the events that workers met of them meanwhile.
	 */
	private final Map<ObjectKey, Set<PendingDelta<T>>> lanes = new HashMap<>();

	/** Objects that are being handled. */
	private final Set<ObjectKey> busy = new HashSet<>();

	/** Those of them whose callback waits for the end of the other workers. */
	private final Set<ObjectKey> ending = new HashSet<>();

	/** The youngest event that waits, by key. */
	private final Map<ObjectKey, PendingDelta<T>> youngest = new HashMap<>();

	private int size;

	private long merged;

	private long dropped;

	private boolean paused;

	private boolean closed;

	private boolean serving;

	private long deadline;

	private int generation;

	HandlerQueue(int capacity, LongSupplier nanoTime) {
		this.capacity = capacity;
		this.retries = new RetrySchedule<>(nanoTime, this::retryDue);
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
			PendingDelta<T> last = this.youngest.get(key);
			if (last != null && last.isReplaceable()) {
				remove(last);
				last = this.youngest.get(key);
			}
			PendingDelta<T> pending = PendingDelta.of(delta);
			boolean merging = this.size >= this.capacity || this.retries.contains(key);
			if (!merging || !merge(last, pending)) {
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
			remove(last);
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
			if (!this.closed && !this.youngest.containsKey(object.key())) {
				append(PendingDelta.resync(object));
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
		pending.previous(this.youngest.put(pending.key(), pending));
		this.ready.add(pending);
		this.size++;
		this.changed.signal();
	}

	/**
	 * Removes the youngest event of a key.
	 * @param pending the event
	 */
	private void remove(PendingDelta<T> pending) {
		this.size--;
		PendingDelta<T> previous = pending.previous();
		if (previous != null) {
			this.youngest.put(pending.key(), previous);
		}
		else {
			this.youngest.remove(pending.key());
		}
		if (!this.ready.remove(pending)) {
			if (this.freed.remove(pending)) {
				advance(pending.key());
			}
			else {
				this.lanes.get(pending.key()).remove(pending);
			}
		}
	}

	/**
	 * The object of a lane is free: its next event may be handled.
	 * @param key the object
	 */
	private void advance(ObjectKey key) {
		Iterator<PendingDelta<T>> lane = this.lanes.get(key).iterator();
		if (lane.hasNext()) {
			this.freed.add(lane.next());
			lane.remove();
		}
		else {
			this.lanes.remove(key);
		}
	}

	/**
	 * Waits for an event whose object is not being handled, and marks its object as being
	 * handled.
	 * @param generation what {@link #serve()} gave the worker
	 * @return the event, or {@code null} if the queue does not serve that worker any more
	 */
	@Nullable PendingDelta<T> take(int generation) throws InterruptedException {
		this.lock.lock();
		try {
			while (generation == this.generation) {
				boolean draining = !this.serving;
				boolean drained = draining && isDrained();
				PendingDelta<T> next = (drained || this.paused) ? null : next();
				if (next != null) {
					handOut(next);
					return next;
				}
				if (!draining) {
					this.changed.await();
				}
				else if (!drained && isAnyBehindBusy()) {
					this.changed.awaitNanos(Math.max(1, this.deadline - System.nanoTime()));
				}
				else {
					if (this.closed && (drained || this.busy.isEmpty())) {
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
		return this.paused || this.size == 0 || System.nanoTime() - this.deadline >= 0;
	}

	/**
	 * Whether an event waits for one of its object that is being handled, and not for a
	 * retry, which nobody waits for at the end; nor for a callback that waits for the
	 * caller.
	 * @return whether there is one
	 */
	private boolean isAnyBehindBusy() {
		return this.busy.stream().anyMatch((key) -> !this.ending.contains(key) && !this.lanes.get(key).isEmpty());
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
			if (waits) {
				this.ending.add(key);
			}
			else {
				this.ending.remove(key);
			}
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	private @Nullable PendingDelta<T> next() {
		Iterator<PendingDelta<T>> first = this.freed.iterator();
		if (first.hasNext()) {
			PendingDelta<T> pending = first.next();
			first.remove();
			return pending;
		}
		Iterator<PendingDelta<T>> oldest = this.ready.iterator();
		while (oldest.hasNext()) {
			PendingDelta<T> pending = oldest.next();
			oldest.remove();
			Set<PendingDelta<T>> lane = this.lanes.get(pending.key());
			if (lane == null) {
				this.lanes.put(pending.key(), new LinkedHashSet<>());
				return pending;
			}
			if (this.retries.contains(pending)) {
				return pending;
			}
			lane.add(pending);
		}
		return null;
	}

	private void handOut(PendingDelta<T> pending) {
		this.size--;
		this.youngest.remove(pending.key(), pending);
		this.retries.handedOut(pending);
		this.busy.add(pending.key());
		pending.handedOut();
	}

	/**
	 * Says that a worker is done with an event: it was handled, or is given up.
	 * @param pending the event
	 */
	void finished(PendingDelta<T> pending) {
		this.lock.lock();
		try {
			this.busy.remove(pending.key());
			advance(pending.key());
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
				finished(pending);
				return;
			}
			this.busy.remove(pending.key());
			// First those that came later: they would lead to one that waits again.
			List<PendingDelta<T>> later = removeAll(pending.key());
			note.run();
			this.youngest.put(pending.key(), pending);
			this.size++;
			this.retries.add(pending, delay);
			for (PendingDelta<T> each : later) {
				if (!each.isReplaceable() && !merge(this.youngest.get(pending.key()), each)) {
					append(each);
				}
			}
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Removes all events of a key.
	 * @param key the key
	 * @return the events, oldest first
	 */
	private List<PendingDelta<T>> removeAll(ObjectKey key) {
		List<PendingDelta<T>> removed = new ArrayList<>();
		for (PendingDelta<T> last = this.youngest.get(key); last != null; last = this.youngest.get(key)) {
			removed.add(last);
			remove(last);
		}
		Collections.reverse(removed);
		return removed;
	}

	/**
	 * Queues the failed events that are due, behind what was there first: a key that
	 * fails on and on must not keep the others waiting.
	 */
	private void retryDue() {
		this.lock.lock();
		try {
			this.ready.addAll(this.retries.takeDue());
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
	}

	private void drop() {
		this.dropped += this.size;
		this.size = 0;
		this.ready.clear();
		this.freed.clear();
		this.retries.clear();
		this.youngest.clear();
		this.lanes.keySet().retainAll(this.busy);
		this.lanes.values().forEach(Set::clear);
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

	Figures figures() {
		this.lock.lock();
		try {
			return new Figures(this.size, this.retries.size(), this.merged, this.dropped);
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

	/**
	 * The queue in numbers.
	 *
	 * @param size events that wait
	 * @param retrying those of them that failed before
	 * @param merged events that were merged into another
	 * @param dropped events that were dropped because the queue was closed
	 */
	record Figures(int size, int retrying, long merged, long dropped) {

	}

}
