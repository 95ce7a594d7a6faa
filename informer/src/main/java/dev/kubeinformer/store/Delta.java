package dev.kubeinformer.store;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * One change of the store.
 *
 * @param <T> the model class
 * @param kind what happened
 * @param before the object before; {@code null} for {@link Kind#ADDED}
 * @param after the object after; {@code null} for {@link Kind#DELETED}
 * @param initial whether the change belongs to the first full state
 * @param finalStateUnknown whether a deletion was noticed by a list, so that
 * {@code before} may not be the very last state
 */
public record Delta<T>(Kind kind, @Nullable StoredObject<T> before, @Nullable StoredObject<T> after, boolean initial,
		boolean finalStateUnknown) {

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
	 * The object that the change is about: the new one, or the last one of a deletion.
	 * @return the object
	 */
	public StoredObject<T> subject() {
		return Objects.requireNonNull((this.after != null) ? this.after : this.before);
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
