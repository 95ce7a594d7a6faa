package dev.kubeinformer.spring.test;

import java.time.Duration;
import java.util.List;

/**
 * Thrown when an informer, handler or reconciler does not process the deletes after a
 * test in time and would affect the next test.
 */
public class ResetTimeoutException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private static final String TRANSACTION = " The transaction of the test is still open: it is rolled back only after the reset. Handlers "
			+ "have their own threads and transactions, do not see its rows and may wait for its locks. If "
			+ "handlers need the rows, commit them in the test, with TestTransaction or without "
			+ "@Transactional, and delete them afterwards.";

	ResetTimeoutException(Duration limit, List<String> laggards, boolean openTransaction) {
		super(("All objects of the embedded API were deleted after the test, but after %d s %s. This would "
				+ "affect the next test.%s")
			.formatted(limit.toSeconds(), String.join("; ", laggards), (openTransaction) ? TRANSACTION : ""));
	}

}
