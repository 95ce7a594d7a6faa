package dev.kubeinformer.spring.observation;

import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/**
 * What stands in for the exception of a handler or reconciler in an observation: its
 * class and where it was thrown. What exports spans exports messages of exceptions too,
 * and that of these may quote an object.
 */
final class HandlerFailure extends RuntimeException {

	private static final long serialVersionUID = 1L;

	HandlerFailure(Throwable cause) {
		super(cause.getClass().getName(), null, false, true);
		StackTraceElement @Nullable [] trace = cause.getStackTrace();
		setStackTrace((trace != null) ? trace : new StackTraceElement[0]);
	}

	/**
	 * Returns what stands for an exception in a tag.
	 * @param thrown the exception
	 * @return the simple name of its class; the whole name of an anonymous one
	 */
	static String name(Throwable thrown) {
		String simple = thrown.getClass().getSimpleName();
		return StringUtils.hasText(simple) ? simple : thrown.getClass().getName();
	}

}
