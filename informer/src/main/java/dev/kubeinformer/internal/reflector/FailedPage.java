package dev.kubeinformer.internal.reflector;

import java.time.Duration;

import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.transport.ListRequest;

/**
 * Page of a list that failed.
 *
 * @param request its request
 * @param failure what went wrong
 * @param begun whether the server had sent objects already
 * @param lasted the time since the request
 */
record FailedPage(ListRequest request, Failure failure, boolean begun, Duration lasted) {

	/**
	 * From when on a list that breaks may have met a limit of time, of the API server
	 * (its option {@code --request-timeout}, one minute by default) or of a proxy: half
	 * of the usual.
	 */
	private static final Duration LONG = Duration.ofSeconds(30);

	boolean isFirst() {
		return this.request.continueToken().isEmpty();
	}

	boolean isLate() {
		return this.lasted.compareTo(LONG) >= 0;
	}

}
