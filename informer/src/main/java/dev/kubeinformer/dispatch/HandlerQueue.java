package dev.kubeinformer.dispatch;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

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
 * workers.
 *
 * @param <T> the model class
 */
final class HandlerQueue<T> implements DeltaSink<T> {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final HandlerSync sync = new HandlerSync();

	private final int capacity;

	/** What waits, oldest first. */
	private final Set<PendingDelta<T>> ready = new LinkedHashSet<>();

	/**
	 * What waited for its object, and may be handled now: older than all that is ready.
	 */
	private final Set<PendingDelta<T>> freed = new LinkedHashSet<>();

	/**
	 * Objects that are being handled or have an event in {@link #freed}, with the events
	 * that workers met of them meanwhile.
	 */
	private final Map<ObjectKey, Set<PendingDelta<T>>> lanes = new HashMap<>();

	/** The youngest event that waits, by key. */
	private final Map<ObjectKey, PendingDelta<T>> youngest = new HashMap<>();

	private int size;

	private long merged;

	private boolean paused;

	private boolean closed;

	private boolean serving;

	private long deadline;

	private int generation;

	HandlerQueue(int capacity) {
		this.capacity = capacity;
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
			if (last != null && last.isResync()) {
				remove(last);
				last = this.youngest.get(key);
			}
			if (last == null || this.size < this.capacity || !merge(last, delta)) {
				append(PendingDelta.of(delta));
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean merge(PendingDelta<T> last, Delta<T> delta) {
		PendingDelta.Merge merge = last.merge(delta);
		if (merge == PendingDelta.Merge.IMPOSSIBLE) {
			return false;
		}
		this.merged++;
		if (merge == PendingDelta.Merge.ANNIHILATED) {
			remove(last);
			this.sync.eventsFinished(last.tickets());
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
			while (true) {
				boolean draining = !this.serving;
				if (generation != this.generation || (draining && isDrained())) {
					return null;
				}
				PendingDelta<T> next = this.paused ? null : next();
				if (next != null) {
					handOut(next);
					return next;
				}
				if (draining) {
					// What waits belongs to objects that other workers are handling.
					this.changed.awaitNanos(Math.max(1, this.deadline - System.nanoTime()));
				}
				else {
					this.changed.await();
				}
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean isDrained() {
		return this.paused || this.size == 0 || System.nanoTime() - this.deadline >= 0;
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
			lane.add(pending);
		}
		return null;
	}

	private void handOut(PendingDelta<T> pending) {
		this.size--;
		this.youngest.remove(pending.key(), pending);
		pending.handedOut();
	}

	/**
	 * Says that a worker is done with an event, well or not.
	 * @param pending the event
	 */
	void finished(PendingDelta<T> pending) {
		this.lock.lock();
		try {
			advance(pending.key());
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
		this.sync.eventsFinished(pending.tickets());
	}

	/**
	 * Lets new workers take events, and sends those of an earlier start away, should one
	 * come back late from its handler.
	 * @return the generation of the new workers
	 */
	int serve() {
		this.lock.lock();
		try {
			this.serving = true;
			this.changed.signalAll();
			return ++this.generation;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Lets workers take events until a deadline only. What is left then stays.
	 * @param deadline the deadline, as by {@link System#nanoTime()}
	 */
	void drain(long deadline) {
		this.lock.lock();
		try {
			this.serving = false;
			this.deadline = deadline;
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
	 * Drops what waits.
	 */
	void clear() {
		this.lock.lock();
		try {
			this.ready.clear();
			this.freed.forEach((pending) -> this.lanes.remove(pending.key()));
			this.freed.clear();
			this.lanes.values().forEach(Set::clear);
			this.youngest.clear();
			this.size = 0;
		}
		finally {
			this.lock.unlock();
		}
		this.sync.cancel();
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

	int size() {
		this.lock.lock();
		try {
			return this.size;
		}
		finally {
			this.lock.unlock();
		}
	}

	long merged() {
		this.lock.lock();
		try {
			return this.merged;
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
