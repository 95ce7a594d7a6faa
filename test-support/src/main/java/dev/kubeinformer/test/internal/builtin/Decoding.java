package dev.kubeinformer.test.internal.builtin;

import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import dev.kubeinformer.test.internal.builtin.BuiltInSchemas.Field;
import dev.kubeinformer.test.internal.builtin.BuiltInSchemas.Form;
import dev.kubeinformer.test.internal.builtin.BuiltInSchemas.ObjectType;
import dev.kubeinformer.test.internal.builtin.BuiltInSchemas.ValueType;

/**
 * Reads an object like the decoder of kube-apiserver (sigs.k8s.io/json). Fields that the
 * type does not have are removed and reported. The first value whose type differs from
 * the type of its field is an error.
 */
public final class Decoding {

	private final BuiltInSchemas schemas;

	private final Predicate<String> dropped;

	private final List<String> unknown = new ArrayList<>(0);

	private @Nullable String error;

	private Decoding(BuiltInSchemas schemas, Predicate<String> dropped) {
		this.schemas = schemas;
		this.dropped = dropped;
	}

	/**
	 * Reads an object.
	 * @param schemas the schemas
	 * @param type the type of the object
	 * @param object the object, from which unknown fields are removed
	 * @return the unknown fields and the error that were found
	 */
	public static Decoding of(BuiltInSchemas schemas, ObjectType type, ObjectNode object) {
		return of(schemas, type, object, (path) -> true);
	}

	/**
	 * Reads an object.
	 * @param schemas the schemas
	 * @param type the type of the object
	 * @param object the object, from which unknown fields are removed
	 * @param dropped tests whether to remove the unknown field at a path; the other
	 * unknown fields stay and are only reported
	 * @return the unknown fields and the error that were found
	 */
	public static Decoding of(BuiltInSchemas schemas, ObjectType type, ObjectNode object, Predicate<String> dropped) {
		Decoding decoding = new Decoding(schemas, dropped);
		decoding.object(type, object, null);
		return decoding;
	}

	// Returns the paths of the unknown fields, in the order of the document.
	public List<String> unknown() {
		return this.unknown;
	}

	// Returns the decoder's message for the first wrong value, or null.
	public @Nullable String error() {
		return this.error;
	}

	private void object(ObjectType type, ObjectNode object, @Nullable Path path) {
		List<String> unknown = new ArrayList<>(0);
		for (Map.Entry<String, JsonNode> property : object.properties()) {
			Field field = type.field(property.getKey());
			if (field == null) {
				String name = new Path(path, property.getKey(), "").json();
				if (this.dropped.test(name)) {
					unknown.add(property.getKey());
				}
				this.unknown.add(name);
				continue;
			}
			Path there = new Path(path, field.name(), "");
			if (field.type().form() == Form.BYTES && property.getValue() instanceof ArrayNode list) {
				property.setValue(StringNode.valueOf(bytes(list, type, there)));
			}
			value(field.type(), property.getValue(), type, there);
		}
		object.remove(unknown);
	}

	private void value(ValueType type, JsonNode value, ObjectType owner, Path path) {
		if (value.isNull()) {
			return;
		}
		switch (type.form()) {
			case OBJECT -> {
				if (value instanceof ObjectNode object) {
					object(this.schemas.type(type.name()), object, path);
				}
				else {
					mismatch(type, value, owner, path);
				}
			}
			case LIST -> {
				if (value instanceof ArrayNode list) {
					for (int i = 0; i < list.size(); i++) {
						if (list.get(i).isNull() && type.item().form() == Form.OBJECT) {
							list.set(i, list.objectNode());
						}
						value(type.item(), list.get(i), owner, new Path(path, "", "[" + i + "]"));
					}
				}
				else {
					mismatch(type, value, owner, path);
				}
			}
			case MAP -> {
				if (value instanceof ObjectNode map) {
					map.properties().forEach((entry) -> {
						boolean text = type.item().form() == Form.STRING || type.item().form() == Form.BYTES;
						if (entry.getValue().isNull() && text) {
							entry.setValue(StringNode.valueOf(""));
						}
						if (entry.getValue().isNull() && type.item().form() == Form.QUANTITY) {
							entry.setValue(StringNode.valueOf("0"));
						}
						Path there = new Path(path, "", "." + entry.getKey());
						if (type.item().form() == Form.BYTES && entry.getValue() instanceof ArrayNode list) {
							entry.setValue(StringNode.valueOf(bytes(list, owner, there)));
						}
						value(type.item(), entry.getValue(), owner, there);
					});
				}
				else {
					mismatch(type, value, owner, path);
				}
			}
			default -> scalar(type, value, owner, path);
		}
	}

	private void scalar(ValueType type, JsonNode value, ObjectType owner, Path path) {
		boolean fits = switch (type.form()) {
			case STRING -> value.isString();
			case BOOL -> value.isBoolean();
			case INT32 -> value.isIntegralNumber() && value.canConvertToInt();
			case INT64 -> value.isIntegralNumber() && value.canConvertToLong();
			case FLOAT64 -> value.isNumber();
			case INT_OR_STRING -> value.isString() || (value.isIntegralNumber() && value.canConvertToInt());
			case BYTES -> {
				if (value.isString()) {
					base64(value.stringValue());
				}
				yield value.isString();
			}
			case QUANTITY -> {
				quantity(value);
				yield true;
			}
			case TIME -> {
				if (value.isString()) {
					time(value.stringValue());
				}
				yield value.isString();
			}
			default -> true;
		};
		if (!fits) {
			mismatch(type, value, owner, path);
		}
	}

	private void quantity(JsonNode value) {
		String text = (value.isString() || value.isNumber()) ? value.asString() : "";
		if (QuantityValue.parse(text.trim()) == null) {
			boolean suffix = text.matches("[+-]?[0-9]+(\\.[0-9]*)?[eEinumkKMGTP]+[-+]?[0-9]*");
			fail((suffix) ? "unable to parse quantity's suffix" : "quantities must match the regular expression "
					+ "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
		}
	}

	private void base64(String text) {
		int length = 0;
		for (int i = 0; i < text.length(); i++) {
			char letter = text.charAt(i);
			if (letter == '\n' || letter == '\r') {
				continue;
			}
			boolean padding = letter == '=' && (length % 4 == 2 || length % 4 == 3)
					&& text.substring(i).strip().chars().allMatch((rest) -> rest == '=');
			if (!padding && "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".indexOf(letter) < 0) {
				fail("illegal base64 data at input byte " + i);
				return;
			}
			length++;
		}
		if (length % 4 != 0) {
			fail("illegal base64 data at input byte " + (text.length() - text.length() % 4));
		}
	}

	// Go also decodes a list of numbers into bytes, and null into a zero.
	private String bytes(ArrayNode list, ObjectType owner, Path path) {
		byte[] bytes = new byte[list.size()];
		for (int i = 0; i < bytes.length; i++) {
			JsonNode item = list.get(i);
			if (item.isIntegralNumber() && item.canConvertToInt() && item.intValue() >= 0 && item.intValue() <= 0xff) {
				bytes[i] = (byte) item.intValue();
			}
			else if (!item.isNull()) {
				mismatch(found(item, true), "uint8", owner, path);
			}
		}
		return Base64.getEncoder().encodeToString(bytes);
	}

	private void time(String text) {
		try {
			OffsetDateTime.parse(text);
		}
		catch (DateTimeParseException ex) {
			fail("parsing time \"" + text + "\" as \"2006-01-02T15:04:05Z07:00\": cannot parse \"" + text
					+ "\" as \"2006\"");
		}
	}

	private void mismatch(ValueType type, JsonNode value, ObjectType owner, Path path) {
		boolean numeric = type.form() == Form.INT32 || type.form() == Form.INT64 || type.form() == Form.INT_OR_STRING;
		mismatch(found(value, numeric), type.goType(), owner, path);
	}

	private void mismatch(String found, String type, ObjectType owner, Path path) {
		fail("json: cannot unmarshal " + found + " into Go struct field " + owner.simpleName() + "." + path.go()
				+ " of type " + type);
	}

	private static String found(JsonNode value, boolean numeric) {
		return switch (value.getNodeType()) {
			case STRING -> "string";
			case NUMBER -> (numeric) ? "number " + value.asString() : "number";
			case BOOLEAN -> "bool";
			case ARRAY -> "array";
			default -> "object";
		};
	}

	private void fail(String message) {
		if (this.error == null) {
			this.error = message;
		}
	}

	/**
	 * Path of a value, which is turned into a text only for messages.
	 *
	 * @param parent the path of the value around it, {@code null} at the root
	 * @param field the name of the field, empty for an item
	 * @param item the item as it is written after the field, empty for a field
	 */
	private record Path(@Nullable Path parent, String field, String item) {

		// Returns the path with items, for strict decoding errors.
		String json() {
			String before = (this.parent != null) ? this.parent.json() : "";
			return before + ((before.isEmpty() || this.field.isEmpty()) ? "" : ".") + this.field + this.item;
		}

		// Returns the path without items, for type errors.
		String go() {
			String before = (this.parent != null) ? this.parent.go() : "";
			return (this.field.isEmpty()) ? before : before + (before.isEmpty() ? "" : ".") + this.field;
		}

	}

}
