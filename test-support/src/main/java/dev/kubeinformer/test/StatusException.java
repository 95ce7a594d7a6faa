package dev.kubeinformer.test;

import tools.jackson.databind.node.ObjectNode;

/**
 * A request that failed, with the Kubernetes Status that says why.
 */
public final class StatusException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final transient ObjectNode status;

	private final int code;

	private final String reason;

	StatusException(ObjectNode status) {
		super(status.path("message").asString());
		this.status = status;
		this.code = status.path("code").asInt();
		this.reason = status.path("reason").asString();
	}

	/**
	 * Return the HTTP status code.
	 * @return the code, such as 409
	 */
	public int code() {
		return this.code;
	}

	/**
	 * Return the machine-readable reason.
	 * @return the reason, such as "AlreadyExists", empty if there is none
	 */
	public String reason() {
		return this.reason;
	}

	// The Status object.
	ObjectNode status() {
		return this.status;
	}

}
