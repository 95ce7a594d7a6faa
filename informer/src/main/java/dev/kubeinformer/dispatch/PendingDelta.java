package dev.kubeinformer.dispatch;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.store.Delta;
import dev.kubeinformer.store.ObjectKey;
import dev.kubeinformer.store.StoredObject;

/**
 * An event that waits in a queue, or is being handled. Guarded by the queue's lock.
 *
 * @param <T> the model class
 */
final class PendingDelta<T> {

	private final ObjectKey key;

	/** The state before the first of the events that this one stands for. */
	private final @Nullable StoredObject<T> firstOld;

	private Delta<T> delta;

	private boolean resync;

	private int tickets;

	/** Whether a handler was told of any of the events that this one stands for. */
	private boolean seen;

	/** How often the event was handed out as it is now. */
	private int attempt;

	/** How often the event failed, also before later ones were merged into it. */
	private int failures;

	private Duration firstDelay = Duration.ZERO;

	/** The event of the same key that was queued before this one, and may still wait. */
	private @Nullable PendingDelta<T> previous;

	private boolean waiting = true;

	private long queuedAt;

	private PendingDelta(Delta<T> delta, boolean resync) {
		this.key = delta.subject().key();
		this.firstOld = delta.before();
		this.delta = delta;
		this.resync = resync;
		this.tickets = delta.initial() ? 1 : 0;
	}

	static <T> PendingDelta<T> of(Delta<T> delta) {
		return new PendingDelta<>(delta, false);
	}

	static <T> PendingDelta<T> resync(StoredObject<T> object) {
		return new PendingDelta<>(new Delta<>(Delta.Kind.UPDATED, object, object, false, false), true);
	}

	/**
	 * Takes a later event of the same key in, if the two can be told as one: first old,
	 * last new. What a handler was told of is never merged away.
	 * @param later the later event
	 * @return what became of the two
	 */
	Merge merge(PendingDelta<T> later) {
		if (isToldBefore(later.delta)) {
			return Merge.IMPOSSIBLE;
		}
		this.tickets += later.tickets;
		if (this.delta.kind() == Delta.Kind.ADDED && later.delta.kind() == Delta.Kind.DELETED && !this.seen) {
			return Merge.ANNIHILATED;
		}
		this.delta = merged(later.delta);
		this.resync = false;
		this.attempt = 0;
		return Merge.MERGED;
	}

	private boolean isToldBefore(Delta<T> later) {
		return this.delta.kind() == Delta.Kind.DELETED
				&& (this.seen || later.kind() != Delta.Kind.ADDED || !isSameObject(later));
	}

	private Delta<T> merged(Delta<T> later) {
		boolean initial = this.delta.initial() || later.initial();
		if (later.kind() == Delta.Kind.DELETED) {
			return new Delta<>(Delta.Kind.DELETED, later.before(), null, initial, later.finalStateUnknown());
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

	boolean isResync() {
		return this.resync;
	}

	/**
	 * Whether it is a resync that nobody was told of, so that any event may take its
	 * place.
	 * @return whether it is
	 */
	boolean isReplaceable() {
		return this.resync && !this.seen;
	}

	/**
	 * Whether the sync waits for this event.
	 * @return whether it does
	 */
	boolean isAwaitedBySync() {
		return this.tickets > 0;
	}

	/**
	 * Gives away what counts for the sync.
	 * @return how many events of the initial state this one stood for until now
	 */
	int takeTickets() {
		int taken = this.tickets;
		this.tickets = 0;
		return taken;
	}

	/**
	 * How often the event failed, whatever was merged into it meanwhile.
	 * @return the number
	 */
	int failures() {
		return this.failures;
	}

	/**
	 * How long the event waited after it had failed for the first time as it was then.
	 * @return the delay
	 */
	Duration firstDelay() {
		return this.firstDelay;
	}

	/**
	 * The event of the same key that waits before this one.
	 * @return the event, or {@code null} if there is none
	 */
	@Nullable PendingDelta<T> previous() {
		return (this.previous != null && this.previous.waiting) ? this.previous : null;
	}

	/**
	 * The event leaves the queue for the handler. It lets go of those before it, so that
	 * no chain of past events stays in memory.
	 */
	void handedOut() {
		this.waiting = false;
		this.previous = null;
		this.seen = true;
		this.attempt++;
	}

	/**
	 * The handler failed, and the event waits again.
	 * @param delay how long
	 */
	void failed(Duration delay) {
		this.waiting = true;
		this.failures++;
		if (this.attempt == 1) {
			this.firstDelay = delay;
		}
	}

	/**
	 * The handler was interrupted by a stop, and the event waits again. That attempt does
	 * not count.
	 */
	void interrupted() {
		this.waiting = true;
		this.attempt--;
	}

	/**
	 * When the event was queued or put back, in nanoseconds.
	 * @return the time
	 */
	long queuedAt() {
		return this.queuedAt;
	}

	void queuedAt(long time) {
		this.queuedAt = time;
	}

	void previous(@Nullable PendingDelta<T> previous) {
		this.previous = previous;
	}

	Delivery<T> delivery() {
		Delta<T> current = this.delta;
		return new Delivery<>(current.kind(), current.before(), current.after(), this.resync, current.initial(),
				current.finalStateUnknown(), this.attempt);
	}

	@Override
	public String toString() {
		return Objects.toString(this.key);
	}

	enum Merge {

		MERGED, ANNIHILATED, IMPOSSIBLE

	}

}
