package dev.kubeinformer.internal.failure;

import java.io.IOException;
import java.net.ProtocolException;

/**
 * Thrown when a connection broke before the answer to a request that must not be sent
 * twice. OkHttp sends what fails by another {@link IOException} once more, and never what
 * fails by a {@link ProtocolException} ({@code RetryAndFollowUpInterceptor}).
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
	 * Returns what really failed.
	 * @return the failure of the connection
	 */
	IOException getFailure() {
		return this.failure;
	}

}
