package dev.kubeinformer.internal.store;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.ObjectKey;

/**
 * Change of what is known of an object that cannot be read.
 *
 * @param <T> the model class
 * @param before what was known of it; {@code null} if it was not quarantined
 * @param after what is known of it now; {@code null} if it can be read again, or is gone
 * @param cached its last readable state; {@code null} if there is none
 * @param gone whether the API server said on a watch that it is gone: it was deleted, or
 * is not selected any more
 * @param firstList whether the change is part of the first list of a partition in its
 * present life
 */
public record QuarantineChange<T>(@Nullable UnreadableObject before, @Nullable UnreadableObject after,
		@Nullable StoredObject<T> cached, boolean gone, boolean firstList) {

	/**
	 * Returns the key of the object.
	 * @return the key
	 */
	public ObjectKey key() {
		return Objects.requireNonNull((this.after != null) ? this.after : this.before).key();
	}

}
