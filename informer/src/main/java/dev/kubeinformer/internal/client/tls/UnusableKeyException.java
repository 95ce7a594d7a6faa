package dev.kubeinformer.internal.client.tls;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a private key is not usable. Neither the message nor a cause contains any
 * part of the key.
 */
final class UnusableKeyException extends Exception {

	private static final long serialVersionUID = 1L;

	private final String problem;

	private final @Nullable String action;

	UnusableKeyException(String problem, @Nullable String action) {
		super(problem);
		this.problem = problem;
		this.action = action;
	}

	static UnusableKeyException broken() {
		return new UnusableKeyException("holds a private key that cannot be read: it is incomplete or broken", null);
	}

	String problem() {
		return this.problem;
	}

	@Nullable String action() {
		return this.action;
	}

}
