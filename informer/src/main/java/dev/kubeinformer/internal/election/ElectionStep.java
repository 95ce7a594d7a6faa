package dev.kubeinformer.internal.election;

import java.time.Duration;

/**
 * Next step of an election.
 */
public sealed interface ElectionStep {

	/**
	 * Send a request, and report the response to the election.
	 *
	 * @param request the request
	 */
	record Send(LeaseRequest request) implements ElectionStep {

	}

	/**
	 * Wait for a time, or until a signal changes.
	 *
	 * @param time the maximum time to wait
	 */
	record Pause(Duration time) implements ElectionStep {

	}

	/**
	 * Stop: the election has ended.
	 */
	record Halt() implements ElectionStep {

	}

}
