package dev.kubeinformer.codec.generator;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.kubeinformer.codec.generator.MessageField.Shape;

/**
 * Generates a class with a table of fields. In these fields, the API server does not
 * distinguish zero, false and the empty string from an absent value.
 */
final class ZeroesSource {

	static final String PACKAGE = "dev.kubeinformer.internal.codec.model";

	static final String NAME = "OfficialZeroes";

	private static final Set<String> SCALARS = Set.of("string", "int32", "int64", "bool", "double");

	private final Map<String, Set<String>> fields = new TreeMap<>();

	/**
	 * Adds a field.
	 * @param modelClass the class of the models
	 * @param field the field of its message
	 */
	void add(Class<?> modelClass, MessageField field) {
		boolean shown = field.presence() == Presence.ALWAYS;
		if (field.shape() == Shape.SINGLE && SCALARS.contains(field.type())
				&& (shown || field.presence() == Presence.OMITTED)) {
			this.fields.computeIfAbsent(modelClass.getSimpleName(), (name) -> new TreeSet<>())
				.add(shown ? field.jsonName() + "=shown" : field.jsonName());
		}
	}

	String source() {
		StringBuilder source = new StringBuilder("package %s;\n\n".formatted(PACKAGE));
		source.append("/** Fields in which zero, false and the empty text are nothing. Generated. */\n");
		source.append("final class %1$s {\n\n\tprivate %1$s() {\n\t}\n\n".formatted(NAME));
		source.append("\t/** Names of model classes and fields; those that are never left out are shown. */\n");
		source.append("\tstatic final String TABLE = \"\"\"\n");
		this.fields.forEach((name,
				all) -> source.append("\t\t\t").append(name).append(' ').append(String.join(" ", all)).append('\n'));
		return source.append("\t\t\t\"\"\";\n\n}\n").toString();
	}

}
