package dev.kubeinformer.internal.codec;

import org.jspecify.annotations.Nullable;

/**
 * Receiver of the items of a list.
 *
 * @param <T> the model class
 */
@FunctionalInterface
public interface ListItems<T> {

	/**
	 * Takes an item.
	 * @param item the item, readable or not
	 */
	void accept(DecodedObject<T> item);

	/**
	 * Notes an item of another shard, which was dropped.
	 */
	default void foreign() {
		// Most have no shard, or need not know.
	}

	/**
	 * Returns which items need not be decoded, nor accepted.
	 * @return the objects; {@code null} if all items have to be decoded
	 */
	default @Nullable KnownObjects known() {
		return null;
	}

}
