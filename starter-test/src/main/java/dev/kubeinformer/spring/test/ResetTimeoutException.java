package dev.kubeinformer.spring.test;

import java.time.Duration;
import java.util.List;

/**
 * Thrown when an informer or handler does not finish in time what a test has left to it,
 * so that it would reach into the next test.
 */
public class ResetTimeoutException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private static final String TRANSACTION = " The transaction of the test is still open: handlers have threads and "
			+ "transactions of their own, do not see what it wrote and may wait for its locks, and it is rolled back "
			+ "only after the reset. If handlers need its rows, commit them in the test, by TestTransaction or "
			+ "without @Transactional, and delete them afterwards.";

	ResetTimeoutException(Duration limit, List<String> laggards, boolean openTransaction) {
		super(("All objects of the embedded API were deleted after the test, and after %d s %s. "
				+ "What is left would reach into the next test.%s")
			.formatted(limit.toSeconds(), String.join("; ", laggards), (openTransaction) ? TRANSACTION : ""));
	}

}
