package dev.kubeinformer.controller;

/**
 * Lane of a work queue. Keys of an earlier lane are taken first, but every fourth key
 * comes from one of the later lanes, which take turns, so that none of them starves.
 */
public enum QueueLane {

	/** Keys for which something changed. */
	LIVE,

	/** Keys whose retry or requeue is due. */
	RETRY,

	/** Keys of the initial state, of a resync, and of a trigger for all objects. */
	INITIAL

}
