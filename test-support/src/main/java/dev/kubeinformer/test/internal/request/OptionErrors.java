package dev.kubeinformer.test.internal.request;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.status.RequestFailure;
import dev.kubeinformer.test.internal.status.Statuses;

/**
 * Collects all errors in the query parameters of a list or watch.
 */
final class OptionErrors {

	private final List<Cause> causes = new ArrayList<>();

	void forbid(String field, String why) {
		this.causes.add(new Cause("FieldValueForbidden", "Forbidden: " + why, field));
	}

	void notSupported(String field, String value, String supported) {
		this.causes.add(new Cause("FieldValueNotSupported",
				"Unsupported value: \"" + value + "\": supported values: " + supported, field));
	}

	/**
	 * Rejects the request if errors were collected.
	 * @throws RequestFailure 422 with all of them
	 */
	void check() {
		if (this.causes.isEmpty()) {
			return;
		}
		String all = this.causes.stream()
			.map((cause) -> cause.field() + ": " + cause.message())
			.collect(Collectors.joining(", "));
		ObjectNode status = Statuses
			.of(422, "ListOptions.meta.k8s.io \"\" is invalid: " + ((this.causes.size() > 1) ? "[" + all + "]" : all))
			.status()
			.deepCopy();
		ArrayNode array = status.putObject("details")
			.put("group", "meta.k8s.io")
			.put("kind", "ListOptions")
			.putArray("causes");
		this.causes.forEach((cause) -> array.addObject()
			.put("reason", cause.reason())
			.put("message", cause.message())
			.put("field", cause.field()));
		throw new RequestFailure(status);
	}

	private record Cause(String reason, String message, String field) {
	}

}
