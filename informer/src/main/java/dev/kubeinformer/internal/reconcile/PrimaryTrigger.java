package dev.kubeinformer.internal.reconcile;

/**
 * Which updates of a primary lead to a run. A new deletionTimestamp always does.
 */
public enum PrimaryTrigger {

	/** All of them. */
	ALL,

	/** Those that change anything but the status. */
	CONTENT,

	/** None, because a condition of the user decides elsewhere. */
	NONE

}
