package dev.kubeinformer.test.internal.builtin;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;

/**
 * Schemas of the built-in types from the OpenAPI documents of kube-apiserver. They are in
 * a table in the JAR, which is read on first use. Each type is parsed on demand.
 */
public final class BuiltInSchemas {

	private static final String TABLE = "built-in-schemas.txt";

	// The script that writes the table shortens these prefixes.
	private static final Map<Character, String> PREFIXES = Map.of('~', "io.k8s.api.", '^', "io.k8s.apimachinery.pkg.");

	private final Map<String, String> kinds = new HashMap<>();

	private final Map<String, List<String>> lines = new HashMap<>();

	private final Map<String, ObjectType> types = new ConcurrentHashMap<>();

	private BuiltInSchemas() {
	}

	public static BuiltInSchemas shared() {
		return Holder.SHARED;
	}

	private static BuiltInSchemas load() {
		BuiltInSchemas schemas = new BuiltInSchemas();
		InputStream table = Objects.requireNonNull(BuiltInSchemas.class.getResourceAsStream(TABLE), TABLE);
		try (BufferedReader reader = new BufferedReader(new InputStreamReader(table, StandardCharsets.UTF_8))) {
			List<String> current = List.of();
			for (String line = reader.readLine(); line != null; line = reader.readLine()) {
				if (line.startsWith(" ")) {
					current.add(line);
				}
				else if (line.startsWith("type ")) {
					current = new ArrayList<>();
					String[] words = line.split(" ");
					if (words.length > 2) {
						current.add(words[2]);
					}
					schemas.lines.put(words[1], current);
				}
				else if (line.startsWith("kind ")) {
					String[] words = line.split(" ");
					schemas.kinds.put(words[1] + " " + words[2], words[3]);
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return schemas;
	}

	/**
	 * Returns the schema of the objects of a resource.
	 * @param type the resource
	 * @return the schema, or {@code null} if kube-apiserver publishes none
	 */
	public @Nullable ObjectType of(ResourceDefinition type) {
		String name = this.kinds.get(type.groupVersion() + " " + type.kind());
		return (name != null && !type.isCustom()) ? type(name) : null;
	}

	ObjectType type(String name) {
		ObjectType type = this.types.get(name);
		if (type == null) {
			type = parse(name);
			this.types.put(name, type);
		}
		return type;
	}

	private ObjectType parse(String name) {
		Map<String, Field> fields = new LinkedHashMap<>();
		for (String line : Objects.requireNonNull(this.lines.get(name), name)) {
			String[] words = line.substring(1).split(" ");
			boolean required = words[0].endsWith("!");
			String field = (required) ? words[0].substring(0, words[0].length() - 1) : words[0];
			Map<String, String> attributes = new HashMap<>();
			Arrays.stream(words).skip(2).forEach((word) -> {
				String[] attribute = word.split("=", 2);
				attributes.put(attribute[0], attribute[1]);
			});
			String json = attributes.get("default");
			JsonNode standard = (json != null) ? Json.read(Json.utf8(json)) : null;
			fields.put(field, new Field(field, required, valueType(words[1]), attributes, standard));
		}
		List<Field> completed = fields.values().stream().filter((field) -> field.defaultValue() != null).toList();
		return new ObjectType(name, fields, completed);
	}

	private ValueType valueType(String text) {
		if (text.startsWith("[]")) {
			return new ValueType(Form.LIST, valueType(text.substring(2)), "");
		}
		if (text.startsWith("{}")) {
			return new ValueType(Form.MAP, valueType(text.substring(2)), "");
		}
		Form scalar = Form.SCALARS.get(text);
		if (scalar != null) {
			return new ValueType(scalar, null, "");
		}
		List<String> named = this.lines.getOrDefault(text, List.of());
		Form form = (named.size() == 1) ? Form.SCALARS.get(named.get(0)) : null;
		return (form != null) ? new ValueType(form, null, text) : new ValueType(Form.OBJECT, null, text);
	}

	static String fullName(String name) {
		String prefix = PREFIXES.get(name.charAt(0));
		return (prefix != null) ? prefix + name.substring(1) : name;
	}

	// Returns a name such as "v1.Container".
	static String goName(String name) {
		String[] parts = fullName(name).split("\\.");
		return parts[parts.length - 2] + "." + parts[parts.length - 1];
	}

	/**
	 * Forms that a value of a field can have.
	 */
	enum Form {

		STRING("string"), BYTES("bytes"), TIME("time"), MICRO_TIME("micro-time"), INT32("int32"), INT64("int64"),
		BOOL("bool"), FLOAT64("float64"), QUANTITY("quantity"), INT_OR_STRING("int-or-string"), RAW("object"),
		ANY("any"), LIST(""), MAP(""), OBJECT("");

		private static final Map<String, Form> SCALARS = new HashMap<>();

		static {
			Arrays.stream(values())
				.filter((form) -> !form.text.isEmpty())
				.forEach((form) -> SCALARS.put(form.text, form));
		}

		private final String text;

		Form(String text) {
			this.text = text;
		}

	}

	/**
	 * Type of a value.
	 *
	 * @param form its form
	 * @param items the type of the items of a list or of the values of a map,
	 * {@code null} for other forms
	 * @param name the name of the type, empty if it has none
	 */
	record ValueType(Form form, @Nullable ValueType items, String name) {

		ValueType item() {
			return Objects.requireNonNull(this.items);
		}

		// Returns the name of the type in errors of Go's decoder.
		String goType() {
			return switch (this.form) {
				case LIST -> "[]" + item().goType();
				case MAP -> "map[string]" + item().goType();
				case BYTES -> "[]uint8";
				case INT_OR_STRING -> "int32";
				case STRING, BOOL, INT32, INT64, FLOAT64 -> this.form.text;
				default -> (this.name.isEmpty()) ? "string" : goName(this.name);
			};
		}

	}

	/**
	 * Field of a type.
	 *
	 * @param name its name
	 * @param required whether the schema requires it
	 * @param type the type of its value
	 * @param attributes the other properties of the field in the schema
	 * @param defaultValue the default, {@code null} for none
	 */
	record Field(String name, boolean required, ValueType type, Map<String, String> attributes,
			@Nullable JsonNode defaultValue) {

	}

	/**
	 * Type with fields.
	 *
	 * @param name its name
	 * @param fields its fields by name
	 * @param completed those of its fields that have a default
	 */
	public record ObjectType(String name, Map<String, Field> fields, List<Field> completed) {

		@Nullable Field field(String field) {
			return this.fields.get(field);
		}

		Collection<Field> all() {
			return this.fields.values();
		}

		// Returns a name such as "Container".
		String simpleName() {
			return this.name.substring(this.name.lastIndexOf('.') + 1);
		}

	}

	/**
	 * Loads the table on first use, so a server that does not write a built-in object
	 * does not load it.
	 */
	private static final class Holder {

		private static final BuiltInSchemas SHARED = load();

	}

}
