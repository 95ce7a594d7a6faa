package dev.kubeinformer.spring.test;

import java.time.Duration;
import java.util.List;

/**
 * Thrown when an informer or handler does not finish in time what a test has left to it,
 * so that it would reach into the next test.
 */
public class ResetTimeoutException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	ResetTimeoutException(Duration limit, List<String> laggards) {
		super(("All objects of the embedded API were deleted after the test, and after %d s %s. "
				+ "What is left would reach into the next test.")
			.formatted(limit.toSeconds(), String.join("; ", laggards)));
	}

}
