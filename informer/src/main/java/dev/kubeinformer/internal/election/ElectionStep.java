package dev.kubeinformer.internal.election;

import java.time.Duration;

/**
 * What to do next in an election.
 */
public sealed interface ElectionStep {

	/**
	 * Sends a request, and reports its answer.
	 *
	 * @param request the request
	 */
	record Send(LeaseRequest request) implements ElectionStep {

	}

	/**
	 * Waits, at most until something happens.
	 *
	 * @param time how long
	 */
	record Pause(Duration time) implements ElectionStep {

	}

	/**
	 * Ends.
	 */
	record Halt() implements ElectionStep {

	}

}
