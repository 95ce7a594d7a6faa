package dev.kubeinformer.controller;

/**
 * Lane of a work queue, which holds the queued keys of one priority. Workers take the
 * keys of an earlier lane first. Every fourth key comes from one of the later lanes, in
 * turn, so that no lane starves.
 */
public enum QueueLane {

	/** Keys for which something changed. */
	LIVE,

	/** Keys whose retry or requeue is due. */
	RETRY,

	/** Keys of the initial state, of a resync, and of a trigger for all objects. */
	INITIAL

}
