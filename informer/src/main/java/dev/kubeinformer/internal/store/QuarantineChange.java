package dev.kubeinformer.internal.store;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.ObjectKey;

/**
 * Change of an object that is or was quarantined: its state on the server cannot be
 * decoded or transformed.
 *
 * @param <T> the model class
 * @param before the unreadable state before; {@code null} if the object was not
 * quarantined
 * @param after the unreadable state now; {@code null} if the object can be read again or
 * is gone
 * @param cached the last readable state; {@code null} if there is none
 * @param gone whether a watch said that the object is gone: it was deleted, or is no
 * longer selected
 * @param firstList whether the change is part of the first list of a partition since its
 * start
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
