package dev.kubeinformer.internal.codec;

import org.jspecify.annotations.Nullable;

/**
 * Receives the items of a list.
 *
 * @param <T> the model class
 */
@FunctionalInterface
public interface ListItems<T> {

	/**
	 * Receives an item.
	 * @param item the item, which may be unreadable
	 */
	void accept(DecodedObject<T> item);

	/**
	 * Called for an item of another shard, which was dropped.
	 */
	default void foreign() {
		// Most receivers ignore dropped items.
	}

	/**
	 * Returns the objects that need not be decoded and passed to this receiver.
	 * @return the objects; {@code null} if all items must be decoded
	 */
	default @Nullable KnownObjects known() {
		return null;
	}

}
