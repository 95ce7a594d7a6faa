package dev.kubeinformer.internal.election;

import java.time.Duration;

/**
 * Next step of an election.
 */
public sealed interface ElectionStep {

	/**
	 * Sends a request, and reports the response to the election.
	 *
	 * @param request the request
	 */
	record Send(LeaseRequest request) implements ElectionStep {

	}

	/**
	 * Waits for a time, or until a signal changes.
	 *
	 * @param time the maximum time to wait
	 */
	record Pause(Duration time) implements ElectionStep {

	}

	/**
	 * Stops the loop, because the election has ended.
	 */
	record Halt() implements ElectionStep {

	}

}
