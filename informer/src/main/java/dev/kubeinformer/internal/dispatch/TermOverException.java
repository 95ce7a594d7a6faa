package dev.kubeinformer.internal.dispatch;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by the handler of a leader's term if the term is over. The delivery is neither
 * counted nor logged, and the event is dropped: the next term begins with the content of
 * the cache.
 */
public final class TermOverException extends Exception {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param cause the exception of the handler, which the end of the term interrupted;
	 * {@code null} if the handler was not called
	 */
	public TermOverException(@Nullable Exception cause) {
		super("The term is over", cause, false, false);
	}

}
