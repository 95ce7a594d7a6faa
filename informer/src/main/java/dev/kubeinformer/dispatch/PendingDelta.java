package dev.kubeinformer.dispatch;

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

	private Delta<T> delta;

	private final boolean resync;

	private int tickets;

	/** The event of the same key that was queued before this one, and may still wait. */
	private @Nullable PendingDelta<T> previous;

	private boolean waiting = true;

	private PendingDelta(Delta<T> delta, boolean resync) {
		this.key = delta.subject().key();
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
	 * last new.
	 * @param later the later event
	 * @return what became of the two
	 */
	Merge merge(Delta<T> later) {
		boolean initial = this.delta.initial() || later.initial();
		Delta<T> merged = switch (this.delta.kind()) {
			case ADDED -> (later.kind() != Delta.Kind.DELETED)
					? new Delta<>(Delta.Kind.ADDED, null, later.after(), initial, false) : null;
			case UPDATED -> switch (later.kind()) {
				case UPDATED, ADDED ->
					new Delta<>(Delta.Kind.UPDATED, this.delta.before(), later.after(), initial, false);
				case DELETED ->
					new Delta<>(Delta.Kind.DELETED, later.before(), null, initial, later.finalStateUnknown());
			};
			case DELETED -> {
				if (later.kind() != Delta.Kind.ADDED || !isSameObject(later)) {
					yield this.delta;
				}
				yield new Delta<>(Delta.Kind.UPDATED, this.delta.before(), later.after(), initial, false);
			}
		};
		if (merged == this.delta) {
			return Merge.IMPOSSIBLE;
		}
		if (later.initial()) {
			this.tickets++;
		}
		if (merged == null) {
			return Merge.ANNIHILATED;
		}
		this.delta = merged;
		return Merge.MERGED;
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
	 * How many events of the initial state this one stands for.
	 * @return the number
	 */
	int tickets() {
		return this.tickets;
	}

	/**
	 * The event of the same key that waits before this one.
	 * @return the event, or {@code null} if there is none
	 */
	@Nullable PendingDelta<T> previous() {
		return (this.previous != null && this.previous.waiting) ? this.previous : null;
	}

	/**
	 * The event leaves the queue. It lets go of those before it, so that no chain of past
	 * events stays in memory.
	 */
	void handedOut() {
		this.waiting = false;
		this.previous = null;
	}

	void previous(@Nullable PendingDelta<T> previous) {
		this.previous = previous;
	}

	Delivery<T> delivery() {
		Delta<T> current = this.delta;
		return new Delivery<>(current.kind(), current.before(), current.after(), this.resync, current.initial(),
				current.finalStateUnknown());
	}

	@Override
	public String toString() {
		return Objects.toString(this.key);
	}

	enum Merge {

		MERGED, ANNIHILATED, IMPOSSIBLE

	}

}
