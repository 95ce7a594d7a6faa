package dev.kubeinformer.client;

import java.io.IOException;

/**
 * Thrown when a proxy does not respond, rejects the user, or cannot reach the API server.
 * It is not a {@link java.net.ConnectException}, because the HTTP client would replace
 * the message. If the reason is a TLS failure of the proxy, that failure is not set as
 * the cause, because it would be mistaken for a TLS failure of the API server.
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
