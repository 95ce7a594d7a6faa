package dev.kubeinformer.internal.shards;

import java.time.Duration;

/**
 * Next step of a membership.
 */
public sealed interface ShardStep {

	/**
	 * Sends a request and reports its response.
	 *
	 * @param request the request
	 */
	record Send(ShardRequest request) implements ShardStep {

	}

	/**
	 * Waits for a time, or until something happens.
	 *
	 * @param time the maximum time to wait
	 */
	record Pause(Duration time) implements ShardStep {

	}

	/**
	 * Ends the membership.
	 */
	record Halt() implements ShardStep {

	}

}
