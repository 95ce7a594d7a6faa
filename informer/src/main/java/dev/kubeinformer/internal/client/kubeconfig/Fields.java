package dev.kubeinformer.internal.client.kubeconfig;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.text.PrintableText;
import dev.kubeinformer.types.ClientConfigurationException;

/**
 * Reads the fields of an object in a kubeconfig as client-go does: a value of the wrong
 * type is rejected, {@code null} is the empty value of the type, unknown fields are
 * ignored, and names are case-sensitive.
 *
 * @param values the values by the names of their fields
 * @param place the entry of the kubeconfig that contains the object, for messages
 * @param prefix the text before the name of each field in messages
 */
record Fields(Map<?, ?> values, Place place, String prefix) {

	private static final String CORRECT = "Correct the field; 'kubectl config view' must be able to read the file.";

	/**
	 * Wraps a value that must be an object.
	 * @param value the value; {@code null} for an empty object
	 * @param place the entry of the kubeconfig that contains the object, for messages
	 * @param field the name of the field that contains the object
	 * @return the fields of the object
	 */
	private static Fields of(@Nullable Object value, Place place, String field) {
		if (value == null) {
			return new Fields(Map.of(), place, field + ".");
		}
		if (value instanceof Map<?, ?> map) {
			return new Fields(map, place, field + ".");
		}
		throw mismatch(place, field, "a map", value);
	}

	private static ClientConfigurationException mismatch(Place place, String field, String wanted, Object value) {
		String found = (value instanceof Map) ? "a map" : (value instanceof List) ? "a list"
				: (value instanceof Boolean) ? "true or false" : (value instanceof Number) ? "a number" : "a text";
		boolean quotable = "a text".equals(wanted) && (value instanceof Boolean || value instanceof Number);
		return place.invalid(field, "must be %s, but is %s".formatted(wanted, found),
				quotable ? "Put the value in quotes." : CORRECT);
	}

	/**
	 * Returns the name of a field as it is shown in messages.
	 * @param field the name in the object
	 * @return the name for messages
	 */
	String name(String field) {
		return this.prefix + PrintableText.of(field);
	}

	/**
	 * Returns a text.
	 * @param field the field
	 * @return the text; empty if it is absent
	 */
	String text(String field) {
		return text(this.values.get(field), name(field));
	}

	/**
	 * Returns a text unless it is blank.
	 * @param field the field
	 * @return the text; empty if it is absent or blank
	 */
	String textUnlessBlank(String field) {
		String text = text(field);
		return text.isBlank() ? "" : text;
	}

	private String text(@Nullable Object value, String name) {
		if (value == null) {
			return "";
		}
		if (value instanceof String text) {
			return text;
		}
		throw mismatch(this.place, name, "a text", value);
	}

	/**
	 * Returns a flag.
	 * @param field the field
	 * @return the flag; {@code false} if it is absent
	 */
	boolean flag(String field) {
		Object value = this.values.get(field);
		if (value == null) {
			return false;
		}
		if (value instanceof Boolean flag) {
			return flag;
		}
		throw mismatch(this.place, name(field), "true or false without quotes", value);
	}

	/**
	 * Returns a text that is encoded in base64, decoded as in Go: line breaks are
	 * ignored, and padding is required.
	 * @param field the field
	 * @return the decoded text; empty if it is absent or blank
	 */
	String data(String field) {
		Object value = this.values.get(field);
		if (value instanceof List<?> bytes) {
			return decoded(bytes, field);
		}
		String base64 = textUnlessBlank(field).replaceAll("[\r\n]", "");
		try {
			if (base64.length() % 4 == 0) {
				return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
			}
		}
		catch (IllegalArgumentException ex) {
			// Do not use the exception's message, because it quotes the text.
		}
		boolean pem = base64.startsWith("-----BEGIN");
		String plain = field.replaceFirst("-data$", "");
		throw this.place.invalid(name(field),
				pem ? "is PEM, but must be PEM that is encoded in base64" : "is not valid base64",
				"Encode the file with 'base64 -w0', or name it with '%s'.".formatted(plain));
	}

	// Go accepts a list of numbers as bytes.
	private String decoded(List<?> bytes, String field) {
		ByteArrayOutputStream content = new ByteArrayOutputStream();
		for (Object value : bytes) {
			if (!(value instanceof Number number) || number.doubleValue() != (number.intValue() & 0xFF)) {
				throw mismatch(this.place, name(field), "a text", bytes);
			}
			content.write(number.intValue());
		}
		return content.toString(StandardCharsets.UTF_8);
	}

	/**
	 * Returns a list of texts.
	 * @param field the field
	 * @return the texts; empty if it is absent
	 */
	List<String> texts(String field) {
		return texts(this.values.get(field), name(field));
	}

	private List<String> texts(@Nullable Object value, String name) {
		List<String> texts = new ArrayList<>();
		for (Object element : list(value, name)) {
			texts.add(text(element, "%s[%d]".formatted(name, texts.size())));
		}
		return List.copyOf(texts);
	}

	private List<?> list(@Nullable Object value, String name) {
		if (value == null) {
			return List.of();
		}
		if (value instanceof List<?> list) {
			return list;
		}
		throw mismatch(this.place, name, "a list", value);
	}

	/**
	 * Returns a map of texts.
	 * @param field the field
	 * @return the texts by their keys; empty if it is absent
	 */
	Map<String, String> textMap(String field) {
		Fields fields = of(this.values.get(field), this.place, name(field));
		Map<String, String> texts = new LinkedHashMap<>();
		fields.values.keySet().forEach((key) -> texts.put((String) key, fields.text((String) key)));
		return texts;
	}

	/**
	 * Returns a map of lists of texts.
	 * @param field the field
	 * @return the lists by their keys; empty if it is absent
	 */
	Map<String, List<String>> textLists(String field) {
		Fields fields = of(this.values.get(field), this.place, name(field));
		Map<String, List<String>> texts = new LinkedHashMap<>();
		fields.values.keySet().forEach((key) -> texts.put((String) key, fields.texts((String) key)));
		return texts;
	}

	/**
	 * Returns an object.
	 * @param field the field
	 * @return the object; {@code null} if it is absent
	 */
	@Nullable Fields object(String field) {
		Object value = this.values.get(field);
		return (value != null) ? of(value, this.place, name(field)) : null;
	}

	/**
	 * Returns the objects of a list.
	 * @param field the field
	 * @return the objects; empty if it is absent
	 */
	List<Fields> objects(String field) {
		List<Fields> objects = new ArrayList<>();
		for (Object element : list(this.values.get(field), name(field))) {
			objects.add(of(element, this.place, "%s[%d]".formatted(name(field), objects.size())));
		}
		return objects;
	}

	/**
	 * Returns the object in a named entry of a list, such as {@code user} in an entry of
	 * {@code users}.
	 * @param kind the kind of the entry, which is also the field of the object
	 * @param name the name of the entry
	 * @return the object, empty if it is absent
	 */
	Fields content(String kind, String name) {
		Fields fields = of(this.values.get(kind), this.place, name(kind));
		return new Fields(fields.values, this.place.of(kind, name), "");
	}

	/**
	 * Returns the extensions of the object.
	 * @return the values of the extensions by name
	 */
	Map<String, @Nullable Object> extensions() {
		Map<String, @Nullable Object> extensions = new LinkedHashMap<>();
		for (Fields extension : objects("extensions")) {
			String name = extension.text("name");
			if (extensions.containsKey(name)) {
				throw duplicate("extensions", name);
			}
			extensions.put(name, extension.values.get("extension"));
		}
		return extensions;
	}

	/**
	 * Creates the exception for two entries with the same name.
	 * @param field the field of the list
	 * @param name the name
	 * @return the exception
	 */
	ClientConfigurationException duplicate(String field, String name) {
		return this.place.invalid(name(field), "has two entries with the name " + Place.quoted(name),
				"Remove one of them.");
	}

	/**
	 * Returns a text without the values.
	 */
	@Override
	public String toString() {
		return "Fields";
	}

}
