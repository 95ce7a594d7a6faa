package dev.kubeinformer.internal.store;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Change of one object of the store.
 *
 * @param <T> the model class
 * @param kind the kind of change
 * @param before the object before the change; {@code null} for {@link Kind#ADDED}
 * @param after the object after the change; {@code null} for {@link Kind#DELETED}
 * @param lastState the state of the deleted object that the API server sent with the
 * deletion and that was never stored; {@code null} if there is none
 * @param initial whether the change belongs to the first full state
 * @param finalStateUnknown whether only a list showed the deletion, so that
 * {@code before} may not be the very last state
 * @param firstList whether the change is part of the first list of a partition since its
 * start; independent of {@code initial}
 * @param statusOnly whether the change is an update of the status only; always
 * {@code false} unless the store {@link ObjectStore#compareContent compares content}
 */
public record Delta<T>(Kind kind, @Nullable StoredObject<T> before, @Nullable StoredObject<T> after,
		@Nullable StoredObject<T> lastState, boolean initial, boolean finalStateUnknown, boolean firstList,
		boolean statusOnly) {

	/**
	 * Creates a change that does not belong to a first list.
	 * @param kind the kind of change
	 * @param before the object before the change
	 * @param after the object after
	 * @param lastState the state of a deleted object that was never stored
	 * @param initial whether the change belongs to the first full state
	 * @param finalStateUnknown whether {@code before} may not be the very last state
	 */
	public Delta(Kind kind, @Nullable StoredObject<T> before, @Nullable StoredObject<T> after,
			@Nullable StoredObject<T> lastState, boolean initial, boolean finalStateUnknown) {
		this(kind, before, after, lastState, initial, finalStateUnknown, false, false);
	}

	/**
	 * Creates a change without a {@link #lastState() last state}.
	 * @param kind the kind of change
	 * @param before the object before the change
	 * @param after the object after
	 * @param initial whether the change belongs to the first full state
	 * @param finalStateUnknown whether {@code before} may not be the very last state
	 */
	public Delta(Kind kind, @Nullable StoredObject<T> before, @Nullable StoredObject<T> after, boolean initial,
			boolean finalStateUnknown) {
		this(kind, before, after, null, initial, finalStateUnknown);
	}

	static <T> Delta<T> added(StoredObject<T> after) {
		return new Delta<>(Kind.ADDED, null, after, false, false);
	}

	static <T> Delta<T> updated(StoredObject<T> before, StoredObject<T> after, boolean statusOnly) {
		return new Delta<>(Kind.UPDATED, before, after, null, false, false, false, statusOnly);
	}

	static <T> Delta<T> deleted(StoredObject<T> before) {
		return new Delta<>(Kind.DELETED, before, null, false, true);
	}

	Delta<T> listed(boolean initial, boolean firstList) {
		return (initial || firstList) ? new Delta<>(this.kind, this.before, this.after, this.lastState, initial,
				this.finalStateUnknown, firstList, this.statusOnly) : this;
	}

	/**
	 * Returns the changed object: its new state, or the last state of a deleted object.
	 * @return the object
	 */
	public StoredObject<T> subject() {
		return Objects.requireNonNull((this.after != null) ? this.after : last());
	}

	/**
	 * Returns the previous state as it is delivered. For a deletion this is the last
	 * known state.
	 * @return the state; {@code null} for {@link Kind#ADDED}
	 */
	public @Nullable StoredObject<T> last() {
		return (this.lastState != null) ? this.lastState : this.before;
	}

	/** Kind of a change. */
	public enum Kind {

		/** The object is new. */
		ADDED,

		/** The object changed. */
		UPDATED,

		/** The object was deleted. */
		DELETED

	}

}
