package dev.kubeinformer.test.internal.builtin;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

import tools.jackson.databind.JsonNode;

/**
 * Rules for labels, annotations and names (api/validation/objectmeta.go of apimachinery).
 */
final class MetadataRules {

	private static final int ANNOTATIONS_LIMIT = 256 * 1024;

	private MetadataRules() {
	}

	// Failures of keys and values are reported at the map, not at the key.
	static void labels(Part labels) {
		labels.eachKey((key, value) -> {
			Formats.labelKey(key).forEach((why) -> labels.invalid("\"" + key + "\"", why));
			Formats.labelValue(value.text()).forEach((why) -> labels.invalid(Part.shown(value.node()), why));
		});
	}

	static void annotations(Part annotations) {
		long size = 0;
		for (var entry : annotations.node().properties()) {
			String key = entry.getKey();
			Formats.annotationKey(key).forEach((why) -> annotations.invalid("\"" + key + "\"", why));
			size += bytes(key) + bytes(entry.getValue().asString(""));
		}
		if (size > ANNOTATIONS_LIMIT) {
			annotations.tooLong("bytes", ANNOTATIONS_LIMIT);
		}
	}

	// Checks a name that may be absent.
	static void name(Part name, Function<String, List<String>> format) {
		if (!name.isEmpty()) {
			name.invalid(format.apply(name.text()));
		}
	}

	static void requiredName(Part name, Function<String, List<String>> format) {
		if (name.isEmpty()) {
			name.required();
		}
		else {
			name.invalid(format.apply(name.text()));
		}
	}

	static void selector(Part selector) {
		labels(selector.at("matchLabels"));
		for (Part expression : selector.at("matchExpressions").items()) {
			Part values = expression.at("values");
			switch (expression.text("operator")) {
				case "In", "NotIn" -> {
					if (values.size() == 0) {
						values.required("must be specified when `operator` is 'In' or 'NotIn'");
					}
				}
				case "Exists", "DoesNotExist" -> {
					if (values.size() > 0) {
						values.forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
					}
				}
				default -> expression.at("operator").invalid("not a valid selector operator");
			}
			expression.at("key").invalid(Formats.labelKey(expression.text("key")));
			values.items().forEach((value) -> value.invalid(Formats.labelValue(value.text())));
		}
	}

	// Whether labels match a selector, which must be valid.
	static boolean matches(JsonNode selector, JsonNode labels) {
		for (var entry : selector.path("matchLabels").properties()) {
			if (!entry.getValue().asString("").equals(labels.path(entry.getKey()).asString(null))) {
				return false;
			}
		}
		for (JsonNode expression : selector.path("matchExpressions")) {
			JsonNode value = labels.path(expression.path("key").asString(""));
			boolean in = false;
			for (JsonNode wanted : expression.path("values")) {
				in |= wanted.asString("").equals(value.asString(null));
			}
			boolean match = switch (expression.path("operator").asString("")) {
				case "In" -> in;
				case "NotIn" -> !in;
				case "Exists" -> value.isString();
				default -> !value.isString();
			};
			if (!match) {
				return false;
			}
		}
		return true;
	}

	static boolean isEmptySelector(Part selector) {
		return selector.at("matchLabels").size() + selector.at("matchExpressions").size() == 0;
	}

	static int bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8).length;
	}

}
