package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.util.Objects;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.internal.store.Delta;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.types.ObjectKey;

/**
 * Event that waits in a queue, or is being handled. Guarded by the queue's lock.
 *
 * @param <T> the model class
 */
final class PendingDelta<T extends KubernetesObject> {

	private final ObjectKey key;

	/**
	 * The state before the first of the events that this one stands for: what was
	 * delivered last. Not what a deletion showed, which was not delivered.
	 */
	private final @Nullable StoredObject<T> firstOld;

	private Delta<T> delta;

	private boolean resync;

	private int tickets;

	/** Whether any of the events that this one stands for was delivered. */
	private boolean seen;

	/** Whether that was so already when the event was handed out last. */
	private boolean seenBefore;

	/** How often the event was handed out as it is now. */
	private int attempt;

	/** How often the event failed, also before later ones were merged into it. */
	private int failures;

	private Duration firstDelay = Duration.ZERO;

	/** The event of the same key that was queued before this one, and may still wait. */
	private @Nullable PendingDelta<T> previous;

	private boolean waiting = true;

	private boolean inHand;

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
	 * Takes a later event of the same key in, if the two can be delivered as one: first
	 * old, last new. What was delivered to a handler is never merged away. Where the two
	 * cancel each other, both keep what counts for the sync.
	 * @param later the later event
	 * @return what became of the two
	 */
	Merge merge(PendingDelta<T> later) {
		if (isBarrierFor(later.delta)) {
			return Merge.IMPOSSIBLE;
		}
		if (this.delta.kind() == Delta.Kind.ADDED && later.delta.kind() == Delta.Kind.DELETED && !this.seen) {
			return Merge.ANNIHILATED;
		}
		// First of all what may fail for want of memory.
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
	 * Returns whether it is a resync that was not delivered, so that any event may take
	 * its place.
	 * @return whether it is
	 */
	boolean isReplaceable() {
		return this.resync && !this.seen;
	}

	/**
	 * Returns whether the sync waits for this event.
	 * @return whether it does
	 */
	boolean isAwaitedBySync() {
		return this.tickets > 0;
	}

	/**
	 * Returns what this event counts for the sync.
	 * @return how many events of the initial state this one stands for
	 */
	int tickets() {
		return this.tickets;
	}

	/**
	 * Ends the wait of the sync for this event.
	 */
	void clearTickets() {
		this.tickets = 0;
	}

	/**
	 * Returns how often the event failed, whatever was merged into it meanwhile.
	 * @return the number
	 */
	int failures() {
		return this.failures;
	}

	/**
	 * Returns how long the event waited after it had failed for the first time as it was
	 * then.
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
	 * Notes that the event leaves the queue for the handler. It releases those before it,
	 * so that no chain of past events stays in memory.
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
	 * Returns whether the event was handed out, and its outcome is not settled.
	 * @return whether it is in work
	 */
	boolean isInHand() {
		return this.inHand;
	}

	/**
	 * Notes that the outcome of the event is settled.
	 */
	void settled() {
		this.inHand = false;
	}

	/**
	 * Notes that the handler failed, and that the event waits again.
	 * @param delay how long
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
	 * Notes that the handler was interrupted by a stop, or not called at all, and that
	 * the event waits again. That attempt does not count.
	 */
	void interrupted() {
		this.inHand = false;
		this.waiting = true;
		this.attempt--;
	}

	/**
	 * Returns when the event was queued or put back, in nanoseconds.
	 * @return the time
	 */
	long queuedAt() {
		return this.queuedAt;
	}

	void queuedAt(long time) {
		this.queuedAt = time;
	}

	/**
	 * Returns the place of the event among all of the queue: the older, the lower.
	 * @return the place
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
	 * Returns the event as it is handed to the handler.
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
	 * Returns whether the object is as it was delivered last: it was gone and came back,
	 * such as with its namespace. The caller holds no lock, as the objects are compared.
	 * @return whether there is nothing to deliver
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
