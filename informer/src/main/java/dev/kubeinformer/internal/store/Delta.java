package dev.kubeinformer.internal.store;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Change of one object of the store.
 *
 * @param <T> the model class
 * @param kind what happened
 * @param before the object as it was stored before; {@code null} for {@link Kind#ADDED}
 * @param after the object after; {@code null} for {@link Kind#DELETED}
 * @param lastState the state of a deleted object that the API server showed with the
 * deletion, which was never stored; {@code null} if there is none
 * @param initial whether the change belongs to the first full state
 * @param finalStateUnknown whether a deletion was noticed by a list, so that
 * {@code before} may not be the very last state
 */
public record Delta<T>(Kind kind, @Nullable StoredObject<T> before, @Nullable StoredObject<T> after,
		@Nullable StoredObject<T> lastState, boolean initial, boolean finalStateUnknown) {

	/**
	 * Creates a change that brings no state beside those before and after.
	 * @param kind what happened
	 * @param before the object as it was stored before
	 * @param after the object after
	 * @param initial whether the change belongs to the first full state
	 * @param finalStateUnknown whether {@code before} may not be the very last state
	 */
	public Delta(Kind kind, @Nullable StoredObject<T> before, @Nullable StoredObject<T> after, boolean initial,
			boolean finalStateUnknown) {
		this(kind, before, after, null, initial, finalStateUnknown);
	}

	static <T> Delta<T> added(StoredObject<T> after, boolean initial) {
		return new Delta<>(Kind.ADDED, null, after, initial, false);
	}

	static <T> Delta<T> updated(StoredObject<T> before, StoredObject<T> after, boolean initial) {
		return new Delta<>(Kind.UPDATED, before, after, initial, false);
	}

	static <T> Delta<T> deleted(StoredObject<T> before, boolean finalStateUnknown, boolean initial) {
		return new Delta<>(Kind.DELETED, before, null, initial, finalStateUnknown);
	}

	/**
	 * Returns the object that the change is about: the new one, or the last one of a
	 * deletion.
	 * @return the object
	 */
	public StoredObject<T> subject() {
		return Objects.requireNonNull((this.after != null) ? this.after : last());
	}

	/**
	 * Returns the state from which the change led, as it is delivered: of a deletion the
	 * last that is known.
	 * @return the state; {@code null} for {@link Kind#ADDED}
	 */
	public @Nullable StoredObject<T> last() {
		return (this.lastState != null) ? this.lastState : this.before;
	}

	/**
	 * What happened to an object.
	 */
	public enum Kind {

		/**
		 * It is new.
		 */
		ADDED,

		/**
		 * It changed.
		 */
		UPDATED,

		/**
		 * It is gone.
		 */
		DELETED

	}

}
