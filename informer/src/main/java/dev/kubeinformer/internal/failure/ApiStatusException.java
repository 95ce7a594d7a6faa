package dev.kubeinformer.internal.failure;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.ApiStatus;

/**
 * Thrown when the API server responds to a request with an error.
 */
public class ApiStatusException extends IOException {

	private static final long serialVersionUID = 1L;

	private final transient ApiStatus status;

	private final @Nullable String advice;

	/**
	 * Creates the exception.
	 * @param status the status from the server
	 */
	public ApiStatusException(ApiStatus status) {
		this(status, null);
	}

	/**
	 * Creates the exception.
	 * @param status the status from the server
	 * @param advice the recommended action; {@code null} if none is known
	 */
	public ApiStatusException(ApiStatus status, @Nullable String advice) {
		super("HTTP %d %s".formatted(status.code(), Refusal.reason(status)).strip());
		this.status = status;
		this.advice = advice;
	}

	@Nullable String getAdvice() {
		return this.advice;
	}

	/**
	 * Returns the status from the server.
	 * @return the status
	 */
	public ApiStatus getStatus() {
		return this.status;
	}

}
