package dev.kubeinformer.internal.failure;

import java.io.IOException;
import java.net.ProtocolException;

/**
 * Thrown when the connection of a request that must not be sent twice breaks before the
 * response. It is a {@link ProtocolException}, because OkHttp never repeats a request
 * after such an exception, but may repeat it after another {@link IOException}
 * ({@code RetryAndFollowUpInterceptor}).
 */
public final class UnansweredException extends ProtocolException {

	private static final long serialVersionUID = 1L;

	private final IOException failure;

	public UnansweredException(IOException failure) {
		super(failure.getMessage());
		this.failure = failure;
		initCause(failure);
	}

	/**
	 * Returns the actual failure.
	 * @return the failure of the connection
	 */
	IOException getFailure() {
		return this.failure;
	}

}
