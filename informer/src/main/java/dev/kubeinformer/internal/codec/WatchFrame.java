package dev.kubeinformer.internal.codec;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.WatchEventType;

/**
 * One event of a watch stream.
 *
 * @param <T> the model class
 * @param type the type of the event
 * @param object the object of an addition, change or deletion; {@code null} for other
 * types
 * @param resourceVersion the version of the event; empty if it has none
 * @param initialEventsEnd {@code true} for the bookmark after the initial events of a
 * streaming list (KEP-3157)
 * @param status the status of an {@link WatchEventType#ERROR}; {@code null} for other
 * types
 */
public record WatchFrame<T>(WatchEventType type, @Nullable DecodedObject<T> object, String resourceVersion,
		boolean initialEventsEnd, @Nullable ApiStatus status) {

	private static final WatchFrame<?> UNCHANGED = new WatchFrame<>(WatchEventType.ADDED, null, "", false, null);

	/**
	 * Creates an event about an object of another shard, without the content of the
	 * object.
	 * @param <T> the model class
	 * @param type the type of the event
	 * @param metadata the identity of the object
	 * @return the event
	 */
	public static <T> WatchFrame<T> foreign(WatchEventType type, ObjectMetadata metadata) {
		return new WatchFrame<>(type, DecodedObject.foreign(metadata), metadata.resourceVersion(), false, null);
	}

	/**
	 * Returns the event that replaces an {@code ADDED} event if its object is cached in
	 * the same version.
	 * @param <T> the model class
	 * @return always the same event, without an object
	 */
	@SuppressWarnings("unchecked") // The event has no object of the class.
	public static <T> WatchFrame<T> unchanged() {
		return (WatchFrame<T>) UNCHANGED;
	}

	/**
	 * Returns whether this event replaces an {@code ADDED} event whose object is cached
	 * in the same version.
	 * @return {@code true} for {@link #unchanged()}
	 */
	public boolean isUnchanged() {
		return this == UNCHANGED;
	}

}
