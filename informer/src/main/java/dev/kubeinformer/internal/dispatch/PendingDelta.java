package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.util.Objects;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.internal.slots.SlotPredicate;
import dev.kubeinformer.internal.store.Delta;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.types.ObjectKey;

/**
 * Event that waits in a queue or is being handled. Guarded by the queue's lock.
 *
 * @param <T> the model class
 */
final class PendingDelta<T extends KubernetesObject> {

	private final ObjectKey key;

	/**
	 * State before the first of the merged events: the last state that was delivered.
	 * After a merge with a deletion, the event does not use this field but carries the
	 * state before the deletion, which was not delivered.
	 */
	private final @Nullable StoredObject<T> firstOld;

	private Delta<T> delta;

	private boolean resync;

	private int tickets;

	/** Whether any of the merged events was delivered. */
	private boolean seen;

	/** Value of {@code seen} when the event was last handed out. */
	private boolean seenBefore;

	/** Number of times that the event was handed out in its current form. */
	private int attempt;

	/**
	 * Number of failures, including those before later events were merged into this one.
	 */
	private int failures;

	private Duration firstDelay = Duration.ZERO;

	/** Previously queued event of the same key, which may still be waiting. */
	private @Nullable PendingDelta<T> previous;

	private boolean waiting = true;

	private boolean inHand;

	/**
	 * Whether this process has lost the object's shard slot since the event was handed
	 * out.
	 */
	private boolean evicted;

	private long queuedAt;

	private long place;

	private PendingDelta(Delta<T> delta, boolean resync) {
		this.key = delta.subject().key();
		this.firstOld = delta.before();
		this.delta = delta;
		this.resync = resync;
		this.tickets = delta.initial() ? 1 : 0;
	}

	static <T extends KubernetesObject> PendingDelta<T> of(Delta<T> delta) {
		return new PendingDelta<>(delta, false);
	}

	/**
	 * Creates the event of an object that the handler has never seen.
	 * @param <T> the model class
	 * @param object the object
	 * @param initial whether it belongs to the first full state
	 * @return the event
	 */
	static <T extends KubernetesObject> PendingDelta<T> addition(StoredObject<T> object, boolean initial) {
		return of(new Delta<>(Delta.Kind.ADDED, null, object, initial, false));
	}

	static <T extends KubernetesObject> PendingDelta<T> resync(StoredObject<T> object) {
		return new PendingDelta<>(new Delta<>(Delta.Kind.UPDATED, object, object, false, false), true);
	}

	/**
	 * Merges a later event of the same key into this one, if both can be delivered as one
	 * event. This event has the first old state and the last new state. A state that was
	 * delivered to a handler is never merged away. If the two cancel each other, both
	 * keep their {@link #tickets() tickets}.
	 * @param later the later event
	 * @return the result of the merge
	 */
	Merge merge(PendingDelta<T> later) {
		if (isBarrierFor(later.delta)) {
			return Merge.IMPOSSIBLE;
		}
		if (this.delta.kind() == Delta.Kind.ADDED && later.delta.kind() == Delta.Kind.DELETED && !this.seen) {
			return Merge.ANNIHILATED;
		}
		// Do this first: it may fail with an OutOfMemoryError.
		this.delta = merged(later.delta);
		this.tickets += later.tickets;
		this.resync = false;
		this.attempt = 0;
		return Merge.MERGED;
	}

	private boolean isBarrierFor(Delta<T> later) {
		return this.delta.kind() == Delta.Kind.DELETED
				&& (this.seen || later.kind() != Delta.Kind.ADDED || !isSameObject(later));
	}

	private Delta<T> merged(Delta<T> later) {
		boolean initial = this.delta.initial() || later.initial();
		if (later.kind() == Delta.Kind.DELETED) {
			return new Delta<>(Delta.Kind.DELETED, later.before(), null, later.lastState(), initial,
					later.finalStateUnknown());
		}
		if (this.delta.kind() == Delta.Kind.ADDED) {
			return new Delta<>(Delta.Kind.ADDED, null, later.after(), initial, false);
		}
		return new Delta<>(Delta.Kind.UPDATED, this.firstOld, later.after(), initial, false);
	}

	private boolean isSameObject(Delta<T> later) {
		return this.delta.subject().uid().equals(later.subject().uid());
	}

	ObjectKey key() {
		return this.key;
	}

	/**
	 * Returns whether the event is about an object in the given shard slots.
	 * @param slots the slots
	 * @return {@code true} if the object belongs to one of the slots
	 */
	boolean isIn(SlotPredicate slots) {
		StoredObject<T> subject = this.delta.subject();
		return slots.test(subject.namespace(), subject.uid());
	}

	/** Records that the event must not be handed out again. */
	void evict() {
		this.evicted = true;
		this.waiting = false;
	}

	boolean isEvicted() {
		return this.evicted;
	}

	/**
	 * Returns whether this is an undelivered resync, which any event may replace.
	 * @return {@code true} if the event may be replaced
	 */
	boolean isReplaceable() {
		return this.resync && !this.seen;
	}

	/**
	 * Returns whether the sync waits for this event.
	 * @return {@code true} if the sync waits for this event
	 */
	boolean isAwaitedBySync() {
		return this.tickets > 0;
	}

	/**
	 * Returns for how many events of the initial state this event counts in the sync.
	 * @return the number of events of the initial state that were merged into this one
	 */
	int tickets() {
		return this.tickets;
	}

	/**
	 * Lets the sync no longer wait for this event.
	 */
	void clearTickets() {
		this.tickets = 0;
	}

	/**
	 * Returns how often the event failed, including failures before later merges.
	 * @return the number of failures
	 */
	int failures() {
		return this.failures;
	}

	/**
	 * Returns the delay after the first attempt since the last merge. If there was no
	 * attempt since then, returns the delay after the first attempt before the merge.
	 * @return the delay
	 */
	Duration firstDelay() {
		return this.firstDelay;
	}

	/**
	 * Returns the event of the same key that waits before this one.
	 * @return the event, or {@code null} if there is none
	 */
	@Nullable PendingDelta<T> previous() {
		return (this.previous != null && this.previous.waiting) ? this.previous : null;
	}

	/**
	 * Records that the event leaves the queue for the handler. Releases the previous
	 * event, so that a chain of past events does not stay in memory.
	 */
	void handedOut() {
		this.waiting = false;
		this.previous = null;
		this.inHand = true;
		this.seenBefore = this.seen;
		this.seen = true;
		this.attempt++;
	}

	/**
	 * Returns whether the event was handed out and its outcome is not final.
	 * @return {@code true} if the event is in progress
	 */
	boolean isInHand() {
		return this.inHand;
	}

	/**
	 * Records that the outcome of the event is final.
	 */
	void settled() {
		this.inHand = false;
	}

	/**
	 * Records that the handler failed and that the event waits again.
	 * @param delay the delay before the next attempt
	 */
	void failed(Duration delay) {
		this.inHand = false;
		this.waiting = true;
		this.failures++;
		if (this.attempt == 1) {
			this.firstDelay = delay;
		}
	}

	/**
	 * Records that the event waits again, because the handler was not called, or was
	 * interrupted at the drain timeout. The attempt does not count.
	 */
	void interrupted() {
		this.inHand = false;
		this.waiting = true;
		this.attempt--;
	}

	/**
	 * Returns the time at which the event was queued or returned to the queue.
	 * @return the time in nanoseconds
	 */
	long queuedAt() {
		return this.queuedAt;
	}

	void queuedAt(long time) {
		this.queuedAt = time;
	}

	/**
	 * Returns the number that orders the event in the queue; older events have lower
	 * numbers.
	 * @return the number
	 */
	long place() {
		return this.place;
	}

	void place(long place) {
		this.place = place;
	}

	void previous(@Nullable PendingDelta<T> previous) {
		this.previous = previous;
	}

	/**
	 * Returns the event for the handler.
	 * @param cluster the name of the cluster
	 * @return the event
	 */
	ResourceEvent<T> event(String cluster) {
		Delta<T> current = this.delta;
		StoredObject<T> before = current.last();
		ResourceEvent.Type type = switch (current.kind()) {
			case ADDED -> ResourceEvent.Type.ADD;
			case UPDATED -> ResourceEvent.Type.UPDATE;
			case DELETED -> ResourceEvent.Type.DELETE;
		};
		return new ResourceEvent<>(type, current.subject().object(),
				(type == ResourceEvent.Type.UPDATE && before != null) ? before.object() : null, this.resync,
				current.initial(), current.finalStateUnknown(), this.attempt, cluster);
	}

	/**
	 * Returns whether the object equals the last delivered state. That happens if the
	 * object was removed and added again, for example with its namespace. Compares
	 * objects, so the caller must not hold a lock.
	 * @return {@code true} if there is no change to deliver
	 */
	boolean isNothing() {
		StoredObject<T> before = this.delta.before();
		StoredObject<T> after = this.delta.after();
		return before != null && after != null && !this.resync && !this.seenBefore
				&& before.isVersion(after.uid(), after.resourceVersion())
				&& (before.object() == after.object() || before.hasContent(after.object()));
	}

	@Override
	public String toString() {
		return Objects.toString(this.key);
	}

	enum Merge {

		MERGED, ANNIHILATED, IMPOSSIBLE

	}

}
