package dev.kubeinformer.internal.election;

import java.time.Duration;

/**
 * Next step of an election.
 */
public sealed interface ElectionStep {

	/**
	 * Sends a request and reports its response.
	 *
	 * @param request the request
	 */
	record Send(LeaseRequest request) implements ElectionStep {

	}

	/**
	 * Waits for a time, or until something happens.
	 *
	 * @param time the maximum time to wait
	 */
	record Pause(Duration time) implements ElectionStep {

	}

	/**
	 * Ends the election.
	 */
	record Halt() implements ElectionStep {

	}

}
