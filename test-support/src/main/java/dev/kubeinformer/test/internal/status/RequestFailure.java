package dev.kubeinformer.test.internal.status;

import tools.jackson.databind.node.ObjectNode;

/**
 * Failure of a request, with the Kubernetes Status that explains it.
 */
public final class RequestFailure extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final transient ObjectNode status;

	private final int code;

	private final String reason;

	public RequestFailure(ObjectNode status) {
		super(status.path("message").asString());
		this.status = status;
		this.code = status.path("code").asInt();
		this.reason = status.path("reason").asString();
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

	// Returns the Status object.
	public ObjectNode status() {
		return this.status;
	}

}
