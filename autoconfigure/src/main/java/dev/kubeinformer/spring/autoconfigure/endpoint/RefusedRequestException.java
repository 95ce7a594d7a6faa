package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;

import dev.kubeinformer.spring.settings.ShownText;

/**
 * Thrown when the endpoint cannot serve a request, with the HTTP status of the response.
 */
final class RefusedRequestException extends InvalidEndpointRequestException {

	private static final long serialVersionUID = 1L;

	private final int status;

	private RefusedRequestException(int status, String message) {
		super(message, message);
		this.status = status;
	}

	/**
	 * Rejects an invalid request.
	 * @param format the format of the message
	 * @param arguments the arguments; texts, which may come from the request, are made
	 * printable
	 * @return the exception
	 */
	static RefusedRequestException invalid(String format, @Nullable Object... arguments) {
		return refused(400, format, arguments);
	}

	static RefusedRequestException unknown(String id) {
		return refused(404, "No handler, no reconciler and no informer has the id '%s'", id);
	}

	static RefusedRequestException noElection() {
		return new RefusedRequestException(404, "No leader is elected; set 'kubernetes.leader.enabled' to have one");
	}

	static RefusedRequestException unknownCluster(String name, List<String> known) {
		return refused(404, "There is no cluster '%s'; the clusters are %s", name, known);
	}

	/**
	 * Rejects a request that cannot be served in the current state.
	 * @param format the format of the message
	 * @param arguments the arguments; texts, which may come from the request, are made
	 * printable
	 * @return the exception
	 */
	static RefusedRequestException conflict(String format, @Nullable Object... arguments) {
		return refused(409, format, arguments);
	}

	private static RefusedRequestException refused(int status, String format, @Nullable Object... arguments) {
		@Nullable Object[] shown = arguments.clone();
		for (int i = 0; i < shown.length; i++) {
			if (shown[i] instanceof String text) {
				shown[i] = ShownText.of(text);
			}
		}
		return new RefusedRequestException(status, format.formatted(shown));
	}

	int getStatus() {
		return this.status;
	}

}
