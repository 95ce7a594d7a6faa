package dev.kubeinformer.controller;

/**
 * Lane of a work queue. Keys of an earlier lane are taken first; every fourth is taken
 * from the others in turn, so that none starves.
 */
public enum QueueLane {

	/** Keys of which something changed. */
	LIVE,

	/** Keys whose retry or requeue is due. */
	RETRY,

	/** Keys of the initial state, of a resync, and of a trigger of all. */
	INITIAL

}
