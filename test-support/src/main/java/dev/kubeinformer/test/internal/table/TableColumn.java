package dev.kubeinformer.test.internal.table;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;

/**
 * Column of the table that kubectl prints.
 *
 * @param name its heading
 * @param type the type of its cells
 * @param format the format of the cells, such as "name"
 * @param description its meaning
 * @param priority 0 for a column that is always printed, 1 for {@code -o wide}
 * @param reader the function that reads a cell: a text, a number, a boolean or
 * {@code null}
 */
public record TableColumn(String name, String type, String format, String description, int priority,
		Function<ObjectNode, @Nullable Object> reader) {

	private static final TableColumn NAME = new TableColumn("Name", "string", "name",
			"Name must be unique within a namespace.", 0, (object) -> Json.at(object, "metadata.name").asString(""));

	/**
	 * Returns the columns of a resource.
	 * @param asked the additional columns in the definition of a custom resource; empty
	 * for a built-in one
	 * @return the column of the name and the additional columns; name and age if there
	 * are none
	 */
	public static List<TableColumn> of(List<TableColumn> asked) {
		return Stream.concat(Stream.of(NAME), asked.isEmpty() ? Stream.of(age("string")) : asked.stream()).toList();
	}

	static TableColumn age(String type) {
		return new TableColumn("Age", type, "", "Age", 0,
				(object) -> Age.of(Json.at(object, "metadata.creationTimestamp")));
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
