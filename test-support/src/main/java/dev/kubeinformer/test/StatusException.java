package dev.kubeinformer.test;

import java.util.function.Supplier;

import dev.kubeinformer.test.internal.status.RequestFailure;

/**
 * Failure of a write or read, with the code and reason of the Kubernetes Status that a client would receive.
 */
public final class StatusException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final int code;

	private final String reason;

	StatusException(RequestFailure failure) {
		super(failure.getMessage(), failure);
		this.code = failure.code();
		this.reason = failure.reason();
	}

	static <T> T translate(Supplier<T> action) {
		try {
			return action.get();
		}
		catch (RequestFailure ex) {
			throw new StatusException(ex);
		}
	}

	static void translate(Runnable action) {
		translate(() -> {
			action.run();
			return true;
		});
	}

	/**
	 * Returns the HTTP status code.
	 * @return the code, such as 409
	 */
	public int code() {
		return this.code;
	}

	/**
	 * Returns the machine-readable reason.
	 * @return the reason, such as "AlreadyExists", empty if there is none
	 */
	public String reason() {
		return this.reason;
	}

}
