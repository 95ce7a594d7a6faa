package dev.kubeinformer.spring.observation;

import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/**
 * Placeholder for the exception of a handler or reconciler in an observation. It has the
 * stack trace and the class name of the exception, but not its message: exporters of
 * spans include messages, and a message may quote an object.
 */
final class HandlerFailure extends RuntimeException {

	private static final long serialVersionUID = 1L;

	HandlerFailure(Throwable cause) {
		super(cause.getClass().getName(), null, false, true);
		StackTraceElement @Nullable [] trace = cause.getStackTrace();
		setStackTrace((trace != null) ? trace : new StackTraceElement[0]);
	}

	/**
	 * Creates the placeholder for a request that failed without an exception.
	 * @param message the message, without content of objects
	 */
	HandlerFailure(String message) {
		super(message, null, false, false);
	}

	/**
	 * Returns the value of a tag for an exception.
	 * @param thrown the exception
	 * @return the simple name of its class; the full name of an anonymous class
	 */
	static String name(Throwable thrown) {
		String simple = thrown.getClass().getSimpleName();
		return StringUtils.hasText(simple) ? simple : thrown.getClass().getName();
	}

}
