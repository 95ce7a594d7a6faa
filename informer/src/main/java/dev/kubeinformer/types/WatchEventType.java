package dev.kubeinformer.types;

/**
 * Types of the events of a watch.
 */
public enum WatchEventType {

	/** An object was created, or began to match the selectors. */
	ADDED,

	/** An object changed. */
	MODIFIED,

	/** An object was deleted, or stopped matching the selectors. */
	DELETED,

	/** No object changed; the event tells the current version of the resource. */
	BOOKMARK,

	/** The watch ends with a status. Listeners do not receive it as an event. */
	ERROR

}
