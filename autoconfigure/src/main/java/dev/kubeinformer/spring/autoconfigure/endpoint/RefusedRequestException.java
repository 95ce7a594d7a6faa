package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.util.List;

import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;

/**
 * Thrown when the endpoint is asked for what it cannot do, with the HTTP status that says
 * so.
 */
final class RefusedRequestException extends InvalidEndpointRequestException {

	private static final long serialVersionUID = 1L;

	private final int status;

	private RefusedRequestException(int status, String message) {
		super(message, message);
		this.status = status;
	}

	static RefusedRequestException invalid(String message) {
		return new RefusedRequestException(400, message);
	}

	static RefusedRequestException unknown(String id) {
		return new RefusedRequestException(404,
				"No handler, no reconciler and no informer has the id '%s'".formatted(id));
	}

	static RefusedRequestException noElection() {
		return new RefusedRequestException(404, "No leader is elected; set 'kubernetes.leader.enabled' to have one");
	}

	static RefusedRequestException unknownCluster(String name, List<String> known) {
		return new RefusedRequestException(404, "There is no cluster '%s'; the clusters are %s".formatted(name, known));
	}

	static RefusedRequestException conflict(String message) {
		return new RefusedRequestException(409, message);
	}

	int getStatus() {
		return this.status;
	}

}
