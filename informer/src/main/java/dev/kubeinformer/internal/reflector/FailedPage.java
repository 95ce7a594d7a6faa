package dev.kubeinformer.internal.reflector;

import java.time.Duration;

import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.transport.ListRequest;

/**
 * Failed page of a list.
 *
 * @param request the request for the page
 * @param failure the failure
 * @param begun whether the server had begun to send objects
 * @param lasted the time since the request
 */
record FailedPage(ListRequest request, Failure failure, boolean begun, Duration lasted) {

	/**
	 * If a list breaks after at least this time, the reason may be a timeout of the API
	 * server ({@code --request-timeout}, one minute by default) or of a proxy. It is half
	 * of the usual timeout.
	 */
	private static final Duration LONG = Duration.ofSeconds(30);

	boolean isFirst() {
		return this.request.continueToken().isEmpty();
	}

	boolean isLate() {
		return this.lasted.compareTo(LONG) >= 0;
	}

}
