package dev.kubeinformer.internal.failure;

import java.io.IOException;
import java.net.ProtocolException;

/**
 * Thrown when a connection breaks before the response to a request that must not be sent
 * twice. OkHttp repeats a request that fails with any other {@link IOException}, but
 * never one that fails with a {@link ProtocolException}
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
