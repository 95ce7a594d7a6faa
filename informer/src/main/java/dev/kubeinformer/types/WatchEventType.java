package dev.kubeinformer.types;

/**
 * The types of events that the API server sends on a watch.
 */
public enum WatchEventType {

	/** An object was created or came into the selection. */
	ADDED,

	/** An object changed. */
	MODIFIED,

	/** An object was deleted or left the selection. */
	DELETED,

	/** Only the version moved. */
	BOOKMARK,

	/** The watch ends with a status. No listener receives it as an event. */
	ERROR

}
