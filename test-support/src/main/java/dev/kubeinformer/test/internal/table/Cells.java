package dev.kubeinformer.test.internal.table;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Readers of cells that several tables have.
 */
public final class Cells {

	static final String NONE = "<none>";

	private Cells() {
	}

	public static JsonNode at(JsonNode object, String path) {
		JsonNode node = object;
		for (String name : path.split("\\.")) {
			node = node.path(name);
		}
		return node;
	}

	static Function<ObjectNode, @Nullable Object> text(String path, String otherwise) {
		return (object) -> text(at(object, path), otherwise);
	}

	public static String text(JsonNode node, String otherwise) {
		return (node.isValueNode() && !node.isNull() && !node.asString().isEmpty()) ? node.asString() : otherwise;
	}

	static Function<ObjectNode, @Nullable Object> number(String path) {
		return (object) -> at(object, path).asLong(0);
	}

	// How many of how many, such as "1/3".
	static Function<ObjectNode, @Nullable Object> ratio(String part, String whole) {
		return (object) -> at(object, part).asLong(0) + "/" + at(object, whole).asLong(0);
	}

	// The values of a field of each element, such as the names of containers.
	static Function<ObjectNode, @Nullable Object> each(String path, String field) {
		return (object) -> {
			List<String> values = new ArrayList<>();
			at(object, path).forEach((element) -> values.add(element.path(field).asString("")));
			return (values.isEmpty()) ? NONE : String.join(",", values);
		};
	}

	// The equal terms of a selector, such as "app=web".
	static Function<ObjectNode, @Nullable Object> labels(String path) {
		return (object) -> {
			List<String> terms = new ArrayList<>();
			at(object, path).properties()
				.forEach((label) -> terms.add(label.getKey() + "=" + label.getValue().asString("")));
			return (terms.isEmpty()) ? NONE : String.join(",", terms);
		};
	}

}
