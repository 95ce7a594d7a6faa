package dev.kubeinformer.test.internal.patch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;

/**
 * Entry of {@code metadata.managedFields}: a manager with its fields and operation.
 *
 * @param name the name of the manager
 * @param operation "Apply" or "Update"
 * @param apiVersion the version of the operation
 * @param subresource the subresource of the operation, empty for none
 * @param time the time of the last change of the fields
 * @param fields the fields
 */
public record FieldManager(String name, String operation, String apiVersion, String subresource, String time,
		Set<FieldPath> fields) {

	/**
	 * Operation of a server-side apply.
	 */
	public static final String APPLY = "Apply";

	/**
	 * Operation of any other write.
	 */
	public static final String UPDATE = "Update";

	private static final String MANAGED_FIELDS = "managedFields";

	static List<FieldManager> read(ObjectNode object) {
		List<FieldManager> managers = new ArrayList<>();
		object.path("metadata")
			.path(MANAGED_FIELDS)
			.forEach((entry) -> managers
				.add(new FieldManager(text(entry, "manager"), text(entry, "operation"), text(entry, "apiVersion"),
						text(entry, "subresource"), text(entry, "time"), FieldPath.parse(entry.path("fieldsV1")))));
		return managers;
	}

	private static String text(JsonNode entry, String name) {
		return entry.path(name).asString("");
	}

	static void write(List<FieldManager> managers, ObjectNode object) {
		ObjectNode metadata = object.withObjectProperty("metadata");
		metadata.remove(MANAGED_FIELDS);
		List<FieldManager> known = managers.stream()
			.filter((manager) -> !manager.fields().isEmpty())
			.sorted(Comparator.comparing(FieldManager::operation)
				.thenComparing(FieldManager::time)
				.thenComparing(FieldManager::name)
				.thenComparing(FieldManager::subresource))
			.toList();
		if (!known.isEmpty()) {
			ArrayNode entries = metadata.putArray(MANAGED_FIELDS);
			known.forEach((manager) -> entries.add(manager.entry()));
		}
	}

	private ObjectNode entry() {
		ObjectNode entry = Json.object();
		entry.put("manager", this.name).put("operation", this.operation).put("apiVersion", this.apiVersion);
		entry.put("time", this.time).put("fieldsType", "FieldsV1").set("fieldsV1", FieldPath.write(this.fields));
		if (!this.subresource.isEmpty()) {
			entry.put("subresource", this.subresource);
		}
		return entry;
	}

	boolean isSame(FieldManager other) {
		return this.name.equals(other.name) && this.operation.equals(other.operation)
				&& this.apiVersion.equals(other.apiVersion) && this.subresource.equals(other.subresource);
	}

	FieldManager with(Set<FieldPath> others) {
		Set<FieldPath> all = new LinkedHashSet<>(this.fields);
		all.addAll(others);
		return new FieldManager(this.name, this.operation, this.apiVersion, this.subresource, this.time, all);
	}

	FieldManager without(Set<FieldPath> others) {
		Set<FieldPath> rest = new LinkedHashSet<>(this.fields);
		rest.removeAll(others);
		return new FieldManager(this.name, this.operation, this.apiVersion, this.subresource, this.time, rest);
	}

	// Returns the manager as conflicts name it.
	@Override
	public String toString() {
		String text = "\"" + this.name + "\"";
		if (!this.subresource.isEmpty()) {
			text += " with subresource \"" + this.subresource + "\"";
		}
		return (UPDATE.equals(this.operation)) ? text + " using " + this.apiVersion : text;
	}

}
