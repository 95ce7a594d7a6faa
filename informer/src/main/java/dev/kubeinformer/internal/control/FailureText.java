package dev.kubeinformer.internal.control;

import io.kubernetes.client.openapi.ApiException;

/**
 * What is shown of the failure of a run: its class, and of a refusal the HTTP status. A
 * message may quote an object, and is left to the log.
 */
final class FailureText {

	private FailureText() {
	}

	static String of(Throwable failure) {
		if (failure instanceof ApiException refusal) {
			String name = ApiException.class.getName();
			return (refusal.getCode() > 0) ? "%s (HTTP %d)".formatted(name, refusal.getCode()) : name;
		}
		return failure.getClass().getName();
	}

}
