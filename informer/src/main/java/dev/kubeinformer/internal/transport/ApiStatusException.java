package dev.kubeinformer.internal.transport;

import java.io.IOException;

import dev.kubeinformer.internal.codec.ApiStatus;
import dev.kubeinformer.internal.text.PrintableText;

/**
 * Thrown when the API server answers a request with an error.
 */
public class ApiStatusException extends IOException {

	private static final long serialVersionUID = 1L;

	private final transient ApiStatus status;

	/**
	 * Creates the exception.
	 * @param status what the server said
	 */
	public ApiStatusException(ApiStatus status) {
		super("HTTP %d %s".formatted(status.code(), PrintableText.of(status.reason())).strip());
		this.status = status;
	}

	/**
	 * Returns what the server said.
	 * @return the status
	 */
	public ApiStatus getStatus() {
		return this.status;
	}

}
