package dev.kubeinformer.test.internal.table;

import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;

/**
 * A column of the table that kubectl prints.
 *
 * @param name its heading
 * @param type the type of its cells
 * @param format what the cells are, such as "name"
 * @param description its meaning
 * @param priority 0 for a column that is always printed, 1 for {@code -o wide}
 * @param reader reads a cell: a text, a number, a boolean or {@code null}
 */
public record TableColumn(String name, String type, String format, String description, int priority,
		Function<ObjectNode, @Nullable Object> reader) {

	static TableColumn of(String name, String type, Function<ObjectNode, @Nullable Object> reader) {
		return new TableColumn(name, type, "", name, 0, reader);
	}

	static TableColumn wide(String name, String type, Function<ObjectNode, @Nullable Object> reader) {
		return new TableColumn(name, type, "", name, 1, reader);
	}

	public ObjectNode definition() {
		return Json.object()
			.put("name", this.name)
			.put("type", this.type)
			.put("format", this.format)
			.put("description", this.description)
			.put("priority", this.priority);
	}

	public @Nullable Object cell(ObjectNode object) {
		return this.reader.apply(object);
	}

}
