package dev.kubeinformer.test.internal.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;

/**
 * The {@code additionalPrinterColumns} of a CustomResourceDefinition. Their JSONPath may
 * have fields, escaped dots, numbered elements, and a filter for the first element whose
 * field has a given text. The cells of a column with any other JSONPath are empty.
 */
public final class PrinterColumns {

	private static final Pattern STEP = Pattern.compile("\\.((?:[^.\\[\\\\]|\\\\.)+)|\\[(\\d+)]|\\['([^']+)']"
			+ "|\\[\\?\\(@((?:\\.(?:[^.\\[\\\\\\s=]|\\\\.)+)+)\\s*==\\s*(?:\"([^\"]*)\"|'([^']*)')\\s*\\)]");

	private PrinterColumns() {
	}

	public static List<TableColumn> of(JsonNode version) {
		List<TableColumn> columns = new ArrayList<>();
		version.path("additionalPrinterColumns").forEach((column) -> columns.add(column(column)));
		return (columns.isEmpty()) ? List.of(TableColumn.age("date")) : List.copyOf(columns);
	}

	private static TableColumn column(JsonNode column) {
		String type = column.path("type").asString("string");
		String path = column.path("jsonPath").asString("");
		String description = Objects.requireNonNullElse(Json.text(column, "description"),
				"Custom resource definition column (in JSONPath format): " + path);
		return new TableColumn(column.path("name").asString(""), type, column.path("format").asString(""), description,
				column.path("priority").asInt(0), (object) -> cell(object, path, type));
	}

	private static @Nullable Object cell(ObjectNode object, String path, String type) {
		JsonNode value = find(object, path);
		if (value == null || value.isNull() || value.isMissingNode()) {
			return null;
		}
		if ("date".equals(type)) {
			return Age.of(value);
		}
		return (value.isString()) ? value.stringValue() : value;
	}

	private static @Nullable JsonNode find(JsonNode object, String path) {
		Matcher matcher = STEP.matcher(path);
		JsonNode node = object;
		int end = 0;
		while (matcher.find() && matcher.start() == end) {
			end = matcher.end();
			if (matcher.group(2) != null) {
				node = node.path(Integer.parseInt(matcher.group(2)));
			}
			else if (matcher.group(4) != null) {
				node = first(node, matcher.group(4), (matcher.group(5) != null) ? matcher.group(5) : matcher.group(6));
			}
			else {
				String name = (matcher.group(1) != null) ? matcher.group(1) : matcher.group(3);
				node = node.path(name.replace("\\", ""));
			}
		}
		return (end == path.length()) ? node : null;
	}

	private static JsonNode first(JsonNode elements, String path, String text) {
		for (JsonNode element : elements) {
			JsonNode value = find(element, path);
			if (value != null && value.isString() && value.stringValue().equals(text)) {
				return element;
			}
		}
		return MissingNode.getInstance();
	}

}
