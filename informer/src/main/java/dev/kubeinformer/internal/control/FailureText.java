package dev.kubeinformer.internal.control;

import io.kubernetes.client.openapi.ApiException;

import dev.kubeinformer.controller.UnreadableObjectException;

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
		if (failure instanceof UnreadableObjectException unreadable) {
			// It holds nothing of the object but the names of fields.
			return "%s (%s)".formatted(UnreadableObjectException.class.getName(), unreadable.getMessage());
		}
		return failure.getClass().getName();
	}

}
