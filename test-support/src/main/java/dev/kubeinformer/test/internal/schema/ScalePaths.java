package dev.kubeinformer.test.internal.schema;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Fields that the scale subresource of a custom resource shows.
 *
 * @param spec the path of the wanted replicas, such as ".spec.replicas"
 * @param status the path of the current replicas
 * @param selector the path of the selector, empty for none
 */
public record ScalePaths(String spec, String status, String selector) {

	/**
	 * Reads the paths of a version of a definition.
	 * @param version the version
	 * @return the paths, or {@code null} without the subresource
	 */
	public static @Nullable ScalePaths of(JsonNode version) {
		JsonNode scale = version.path("subresources").path("scale");
		return (scale.isObject())
				? new ScalePaths(scale.path("specReplicasPath").asString(""),
						scale.path("statusReplicasPath").asString(""), scale.path("labelSelectorPath").asString(""))
				: null;
	}

	/**
	 * Finds a field.
	 * @param object the object
	 * @param path the path with a leading dot
	 * @return the value, or a missing node
	 */
	public static JsonNode at(JsonNode object, String path) {
		JsonNode value = object;
		for (String name : names(path)) {
			value = value.path(name);
		}
		return value;
	}

	private static String[] names(String path) {
		return ((path.startsWith(".")) ? path.substring(1) : path).split("\\.");
	}

	/**
	 * Sets the wanted replicas.
	 * @param object the object, which is changed
	 * @param replicas the number of replicas
	 */
	public void scale(ObjectNode object, int replicas) {
		String[] names = names(this.spec);
		ObjectNode parent = object;
		for (int i = 0; i < names.length - 1; i++) {
			parent = parent.withObjectProperty(names[i]);
		}
		parent.put(names[names.length - 1], replicas);
	}

	List<FieldError> validate(ObjectNode object, boolean statusOnly) {
		List<FieldError> errors = new ArrayList<>();
		if (!statusOnly) {
			replicas(object, this.spec, errors);
		}
		replicas(object, this.status, errors);
		if (!this.selector.isEmpty()) {
			String wrong = access(object, this.selector, "string");
			if (!wrong.isEmpty()) {
				errors.add(FieldError.invalid(this.selector, "", wrong));
			}
		}
		return errors;
	}

	private static void replicas(ObjectNode object, String path, List<FieldError> errors) {
		String wrong = access(object, path, "int64");
		long replicas = at(object, path).asLong(0);
		if (!wrong.isEmpty()) {
			errors.add(FieldError.shown(path, "0", wrong));
		}
		else if (replicas < 0) {
			errors.add(FieldError.shown(path, Long.toString(replicas), "should be a non-negative integer"));
		}
		else if (replicas > Integer.MAX_VALUE) {
			errors.add(FieldError.shown(path, Long.toString(replicas),
					"should be less than or equal to " + Integer.MAX_VALUE));
		}
	}

	// Explains why a field cannot be read; empty if it is readable or absent.
	private static String access(ObjectNode object, String path, String type) {
		JsonNode value = object;
		StringBuilder there = new StringBuilder();
		for (String name : names(path)) {
			if (value.isMissingNode() || value.isNull()) {
				return "";
			}
			if (!value.isObject()) {
				return wrong(there.toString(), value, "map[string]interface{}");
			}
			value = value.path(name);
			there.append('.').append(name);
		}
		boolean fits = value.isMissingNode() || (("string".equals(type)) ? value.isString() : GoText.isInteger(value));
		return (fits) ? "" : wrong(there.toString(), value, type);
	}

	private static String wrong(String path, JsonNode value, String type) {
		String found = switch (value.getNodeType()) {
			case ARRAY -> "[]interface {}";
			case BOOLEAN -> "bool";
			case NUMBER -> (GoText.isInteger(value)) ? "int64" : "float64";
			case OBJECT -> "map[string]interface {}";
			case STRING -> "string";
			default -> "<nil>";
		};
		String text = (value.isNumber()) ? GoText.number(value)
				: (value.isNull()) ? "<nil>" : (value.isString()) ? value.stringValue() : value.toString();
		return path + " accessor error: " + text + " is of the type " + found + ", expected " + type;
	}

}
