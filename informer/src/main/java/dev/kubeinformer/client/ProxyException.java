package dev.kubeinformer.client;

import java.io.IOException;

/**
 * Thrown when a proxy cannot be used: it does not answer, refuses the user, or does not
 * reach the API server. The HTTP client replaces the message of a
 * {@link java.net.ConnectException}, so this is none. A problem of TLS with the proxy is
 * not the cause, because it would be taken for one of the API server.
 */
final class ProxyException extends IOException {

	private static final long serialVersionUID = 1L;

	ProxyException(String message) {
		super(message);
	}

	ProxyException(String message, IOException reason) {
		super(message);
		addSuppressed(reason);
	}

}
