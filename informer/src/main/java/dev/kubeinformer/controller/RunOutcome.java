package dev.kubeinformer.controller;

/**
 * Outcome of a run.
 */
public enum RunOutcome {

	/** The run has nothing left to do. */
	DONE,

	/** The run asked for another one after a time. */
	REQUEUE,

	/** The run failed and is retried with backoff. */
	ERROR,

	/**
	 * The API server rejected a write of the run because the object has a newer version
	 * (HTTP 409, reason {@code Conflict}). The run is retried as soon as this version
	 * arrives.
	 */
	CONFLICT,

	/** The run threw a {@link GiveUpException}. */
	GAVE_UP,

	/**
	 * The run did not end in time: its requests were cancelled and it was interrupted.
	 */
	TIMEOUT

}
