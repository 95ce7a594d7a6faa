package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.handler.HandlerStatus;
import dev.kubeinformer.internal.slots.SlotPredicate;
import dev.kubeinformer.internal.store.Delta;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.types.ObjectKey;

/**
 * Holds the events of a queue from their arrival to their final outcome. Decides which
 * events are merged, which wait for a retry, and which count for the sync of the handler.
 * Above the capacity, events of the same object are merged, so the queue never exceeds
 * its capacity plus two events for each further object. Guarded by the queue's lock.
 *
 * @param <T> the model class
 */
final class PendingEvents<T extends KubernetesObject> {

	private final int capacity;

	private final LongSupplier nanoTime;

	private final HandlerSync sync;

	private final RetrySchedule<T> retries;

	private final PendingOrder<T> order;

	private final Recovery recovery;

	private long merged;

	/**
	 * Creates an empty collection.
	 * @param capacity the number of events above which events of an object are merged
	 * @param nanoTime the clock
	 * @param onAlarm the callback that the timer runs when a retry is due
	 * @param sync the sync, which counts the events of the initial state
	 * @param recovery the recovery from failures outside the handler
	 */
	PendingEvents(int capacity, LongSupplier nanoTime, Runnable onAlarm, HandlerSync sync, Recovery recovery) {
		this.capacity = capacity;
		this.nanoTime = nanoTime;
		this.sync = sync;
		this.retries = new RetrySchedule<>(nanoTime, onAlarm);
		this.order = new PendingOrder<>(this.retries);
		this.recovery = recovery;
	}

	/**
	 * Adds a change.
	 * @param delta the change
	 * @return {@code true} if the change waits as a separate event; {@code false} if it
	 * was merged
	 */
	boolean add(Delta<T> delta) {
		if (!delta.initial()) {
			return addOrMerge(delta);
		}
		this.sync.eventQueued();
		try {
			return addOrMerge(delta);
		}
		catch (RuntimeException | Error ex) {
			this.sync.eventNotQueued();
			throw ex;
		}
	}

	private boolean addOrMerge(Delta<T> delta) {
		ObjectKey key = delta.subject().key();
		PendingDelta<T> last = this.order.youngest(key);
		if (last == null && this.order.isAddition(key)) {
			if (delta.kind() == Delta.Kind.UPDATED && !delta.initial() && this.order.size() >= this.capacity) {
				this.order.replaceAddition(delta.subject());
				this.merged++;
				return false;
			}
			last = this.order.additionAsEvent(key);
		}
		else if (last == null && delta.kind() == Delta.Kind.ADDED && !this.order.isInWork(key)) {
			this.order.append(delta.subject(), delta.initial(), this.nanoTime.getAsLong());
			return true;
		}
		else if (last != null && last.isReplaceable()) {
			this.order.remove(last);
			last = this.order.youngest(key);
		}
		PendingDelta<T> pending = PendingDelta.of(delta);
		PendingDelta.Merge merge = PendingDelta.Merge.IMPOSSIBLE;
		if (last != null && (this.order.size() >= this.capacity || this.retries.contains(key))) {
			merge = merge(last, pending);
			if (merge == PendingDelta.Merge.ANNIHILATED) {
				this.order.remove(last);
			}
			else if (merge == PendingDelta.Merge.MERGED) {
				waitNoLonger(last);
			}
		}
		if (merge != PendingDelta.Merge.IMPOSSIBLE) {
			return false;
		}
		append(pending);
		return true;
	}

	/**
	 * Adds a resync event of an object, which delivers the object again without a change.
	 * Does nothing if another event of the object waits.
	 * @param object the object
	 * @return {@code true} if the resync was added
	 */
	boolean addResync(StoredObject<T> object) {
		if (this.order.youngest(object.key()) != null || this.order.isAddition(object.key())) {
			return false;
		}
		append(PendingDelta.resync(object));
		return true;
	}

	/**
	 * Drops the waiting events of objects in the given shard slots.
	 * @param slots the slots
	 */
	void evict(SlotPredicate slots) {
		this.sync.eventsFinished(this.order.evict(slots));
	}

	/**
	 * Returns whether an object in the given shard slots is being handled.
	 * @param slots the slots
	 * @return {@code true} if a callback is running
	 */
	boolean isHandling(SlotPredicate slots) {
		return this.order.isHandling(slots);
	}

	private void append(PendingDelta<T> pending) {
		pending.queuedAt(this.nanoTime.getAsLong());
		this.order.append(pending);
	}

	/**
	 * Merges an event into a waiting one.
	 * @param last the waiting event
	 * @param later the later event, which is obsolete after a merge
	 * @return the result of the merge; if the events cancel each other, such as an
	 * addition and a deletion, the caller removes the waiting event
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
			// The event waits as before.
			this.recovery.report(ex);
		}
	}

	/**
	 * Hands out the next event whose object is not being handled.
	 * @return the event, or {@code null} if there is none
	 */
	@Nullable PendingDelta<T> handOut() {
		return this.order.handOut();
	}

	/**
	 * Ends the handling of an event that was handed out.
	 * @param pending the event
	 */
	void finished(PendingDelta<T> pending) {
		this.order.finished(pending.key());
		pending.settled();
	}

	/**
	 * Lets the sync no longer wait for an event.
	 * @param pending the event
	 */
	void finishedForSync(PendingDelta<T> pending) {
		this.sync.eventsFinished(pending.tickets());
		pending.clearTickets();
	}

	/**
	 * Returns an event to the queue as the first one of its object, and merges later
	 * events into it.
	 * @param pending the event
	 * @param delay the delay before the next attempt
	 * @param note the action that records in the event why it returns
	 */
	void putBack(PendingDelta<T> pending, Duration delay, Runnable note) {
		long now = this.nanoTime.getAsLong();
		List<PendingDelta<T>> later = this.order.waiting(pending.key());
		this.retries.add(pending, delay);
		try {
			this.order.putBack(pending, later);
		}
		catch (RuntimeException | Error ex) {
			this.retries.remove(pending);
			throw ex;
		}
		note.run();
		pending.queuedAt(now);
		mergeInto(pending, later);
	}

	/**
	 * Merges later events into a failed event of the same object, because otherwise they
	 * would wait behind it. Events that cannot be merged wait.
	 * @param failed the event
	 * @param later the later events, oldest first
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
			// Without the merge, each event is delivered separately.
			this.recovery.report(ex);
		}
		finally {
			while (next < later.size()) {
				later.set(kept++, later.get(next++));
			}
			this.order.link(failed, later, kept);
		}
	}

	/**
	 * Queues the events whose retry is due.
	 */
	void queueDue() {
		this.retries.takeDue(this.order::due);
	}

	void startRetries(ScheduledExecutorService timer) {
		this.retries.start(timer);
	}

	void stopRetries() {
		this.retries.stop();
	}

	/**
	 * Records whether the callback for an object has stopped its own handler and waits
	 * until the other workers have ended.
	 * @param key the object
	 * @param waits {@code true} if the callback waits
	 */
	void ending(ObjectKey key, boolean waits) {
		this.order.ending(key, waits);
	}

	/**
	 * Returns whether an event waits because its object is being handled.
	 * @return {@code true} if a worker that drains the queue must wait for such an event
	 * before it ends
	 */
	boolean isAnyBehindBusy() {
		return this.order.isAnyBehindBusy();
	}

	boolean isHandling() {
		return this.order.isHandling();
	}

	int size() {
		return this.order.size();
	}

	int running() {
		return this.order.running();
	}

	void clear() {
		this.retries.clear();
		this.order.clear();
	}

	HandlerStatus.Queue status(long dropped) {
		return new HandlerStatus.Queue(this.order.size(), this.retries.size(), this.merged, dropped);
	}

	HandlerStatus.@Nullable Handling handling() {
		return this.order.handling();
	}

}
