package dev.kubeinformer.test.internal.status;

import java.util.List;
import java.util.stream.Collectors;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.resource.ResourceDefinition;

/**
 * Field that the validation of an object rejects.
 *
 * @param field the path of the field
 * @param reason the machine-readable reason
 * @param message the message
 */
public record Rejection(String field, String reason, String message) {

	public static Rejection value(String field, String value, String why) {
		return new Rejection(field, "FieldValueInvalid", "Invalid value: \"" + value + "\": " + why);
	}

	public static Rejection required(String field, String why) {
		return new Rejection(field, "FieldValueRequired", "Required value: " + why);
	}

	public static Rejection forbidden(String field, String why) {
		return new Rejection(field, "FieldValueForbidden", "Forbidden: " + why);
	}

	public static Rejection unsupported(String field, String value, String supported) {
		return new Rejection(field, "FieldValueNotSupported",
				"Unsupported value: " + value + ": supported values: " + supported);
	}

	public static RequestFailure of(ResourceDefinition type, String name, Rejection... rejections) {
		return of(type.group(), type.kind(), name, rejections);
	}

	// Returns the rejection of a query parameter of a write, or of DeleteOptions.
	public static RequestFailure ofOptions(String kind, Rejection rejection) {
		return of("meta.k8s.io", kind, "", rejection);
	}

	// Returns the rejection of a patch whose result cannot be decoded.
	public static RequestFailure ofPatch(String message) {
		Rejection rejection = new Rejection("patch", "FieldValueInvalid", message);
		ObjectNode status = of("", "", "", rejection).status();
		status.withObject("details").remove("kind");
		return new RequestFailure(status);
	}

	public static RequestFailure of(String group, String kind, String name, Rejection... rejections) {
		List<String> texts = List.of(rejections)
			.stream()
			.map((rejection) -> rejection.field() + ": " + rejection.message())
			.toList();
		String text = (texts.size() == 1) ? texts.get(0) : texts.stream().collect(Collectors.joining(", ", "[", "]"));
		String qualified = (group.isEmpty()) ? kind : kind + "." + group;
		ObjectNode status = Statuses.of(422, qualified + " \"" + name + "\" is invalid: " + text).status();
		status.remove("code");
		ObjectNode details = status.putObject("details");
		if (!name.isEmpty()) {
			details.put("name", name);
		}
		if (!group.isEmpty()) {
			details.put("group", group);
		}
		details.put("kind", kind);
		ArrayNode causes = details.putArray("causes");
		for (Rejection rejection : rejections) {
			causes.addObject()
				.put("reason", rejection.reason())
				.put("message", rejection.message())
				.put("field", rejection.field());
		}
		return new RequestFailure(status.put("code", 422));
	}

}
