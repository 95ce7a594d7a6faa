package dev.kubeinformer.codec;

import org.jspecify.annotations.Nullable;

/**
 * One event of a watch stream.
 *
 * @param <T> the model class
 * @param type the type of the event
 * @param object the object of an addition, change or deletion; {@code null} for the
 * others
 * @param resourceVersion the version that the event carries; empty if it carries none
 * @param initialEventsEnd whether this bookmark ends the initial events of a streaming
 * list (KEP-3157)
 * @param status what an {@link Type#ERROR} says; {@code null} for the others
 */
public record WatchFrame<T>(Type type, @Nullable DecodedObject<T> object, String resourceVersion,
		boolean initialEventsEnd, @Nullable ApiStatus status) {

	/**
	 * The types of watch events.
	 */
	public enum Type {

		/** An object is new to the watch. */
		ADDED,

		/** An object changed. */
		MODIFIED,

		/** An object is gone or left the selection. */
		DELETED,

		/** Only the version moved. */
		BOOKMARK,

		/** The watch ends with a status. */
		ERROR

	}

}
