package dev.kubeinformer.client;

import java.io.IOException;

/**
 * Thrown when a proxy does not respond, rejects the user, or cannot reach the API server.
 * Not a {@link java.net.ConnectException}, because the HTTP client replaces the message
 * of those. A TLS failure of the proxy is not set as the cause, because it would be
 * mistaken for a failure of the API server.
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
