package dev.kubeinformer.internal.dispatch;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by a leader-only handler if the term has ended, that is, if this process is no
 * longer the leader. The delivery is neither counted nor logged, and the event is
 * dropped. The next term begins with all objects in the cache, so nothing is lost.
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
