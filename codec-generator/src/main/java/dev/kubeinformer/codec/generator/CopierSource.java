package dev.kubeinformer.codec.generator;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import org.jspecify.annotations.Nullable;

/**
 * Generates a class that copies the models of a class without reflection.
 */
final class CopierSource {

	static final String PACKAGE = "dev.kubeinformer.internal.codec.copy";

	/** Name of the index class. */
	static final String INDEX = "GeneratedCopiers";

	private static final Set<Type> VALUES = Set.of(String.class, Integer.class, Long.class, Boolean.class, Double.class,
			OffsetDateTime.class, Quantity.class, IntOrString.class);

	/** Model classes for which there is a copier. */
	private final Set<Class<?>> known;

	CopierSource(Set<Class<?>> known) {
		this.known = known;
	}

	static String name(Class<?> modelClass) {
		return modelClass.getSimpleName() + "Copier";
	}

	/**
	 * Returns the copier of a model class.
	 * @param modelClass the class
	 * @param fields its fields
	 * @return the source
	 */
	String source(Class<?> modelClass, Collection<ModelField> fields) {
		String model = modelClass.getSimpleName();
		StringBuilder source = new StringBuilder("package %s;\n\n".formatted(PACKAGE));
		source.append("import %s;\n\n".formatted(modelClass.getName()));
		source.append("/** Copies a {@code %s}. Generated. */\n@SuppressWarnings(\"deprecation\")\n".formatted(model));
		source.append("final class %1$s extends ModelCopier<%2$s> {\n\n".formatted(name(modelClass), model));
		source.append("\tstatic final %1$s INSTANCE = new %1$s();\n\n".formatted(name(modelClass)));
		List<Field> declared = Arrays.stream(modelClass.getDeclaredFields())
			.filter((field) -> !Modifier.isStatic(field.getModifiers()))
			.toList();
		source.append("\tprivate %s() {\n\t\tsuper(%s.class, %d, %d);\n\t}\n\n".formatted(name(modelClass), model,
				declared.size(), hash(declared)));
		source.append("\t@Override\n\t%1$s copyFields(%1$s model, ValueCopier others) {\n\t\t%1$s copy = new %1$s();\n"
			.formatted(model));
		fields.forEach((field) -> source.append(statement(field)));
		return source.append("\t\treturn copy;\n\t}\n\n}\n").toString();
	}

	// A copier computes the same hash of the class that it finds.
	private static int hash(List<Field> fields) {
		return fields.stream()
			.mapToInt((field) -> (field.getName() + " " + field.getGenericType().getTypeName()).hashCode())
			.sum();
	}

	private String statement(ModelField field) {
		String value = "model.get%s()".formatted(field.accessor());
		String copied = copied(field.type(), value);
		String set = "copy.set%s(%s);\n".formatted(field.accessor(), copied);
		// The class of a copier is not loaded for an absent value.
		return copied.equals(value) ? "\t\t" + set
				: "\t\tif (%s != null) {\n\t\t\t%s\t\t}\n".formatted(value, set) + (field.startsEmpty()
						? "\t\telse {\n\t\t\tcopy.set%s(null);\n\t\t}\n".formatted(field.accessor()) : "");
	}

	private String copied(Type type, String value) {
		if (VALUES.contains(type)) {
			return value;
		}
		Type element = argument(type, List.class, 0);
		Type mapped = argument(type, Map.class, 1);
		if (type instanceof Class<?> model && this.known.contains(model)) {
			return "%s.INSTANCE.copy(%s, others)".formatted(name(model), value);
		}
		if (element instanceof Class<?> model && this.known.contains(model)) {
			return "%s.INSTANCE.copyList(%s, others)".formatted(name(model), value);
		}
		if (element != null && VALUES.contains(element)) {
			return "copyValues(%s, others)".formatted(value);
		}
		return (mapped != null && VALUES.contains(mapped)) ? "copyValues(%s, others)".formatted(value)
				: "others.copy(%s)".formatted(value);
	}

	private static @Nullable Type argument(Type type, Class<?> raw, int index) {
		return (type instanceof ParameterizedType parameterized && parameterized.getRawType() == raw)
				? parameterized.getActualTypeArguments()[index] : null;
	}

	/**
	 * Returns the index of the copiers by model.
	 * @param models the simple names of the models
	 * @return the source
	 */
	static String index(Collection<String> models) {
		StringBuilder source = new StringBuilder("package %s;\n\n".formatted(PACKAGE));
		source.append("import org.jspecify.annotations.Nullable;\n\n");
		source.append("/** Index of the copiers of built-in models. Generated. */\npublic final class %s {\n\n"
			.formatted(INDEX));
		source.append("\tprivate %s() {\n\t}\n\n".formatted(INDEX));
		source.append("\tpublic static @Nullable ExactCopier find(String model) {\n\t\treturn switch (model) {\n");
		for (String model : models) {
			source.append("\t\t\tcase \"%1$s\" -> %1$sCopier.INSTANCE;\n".formatted(model));
		}
		return source.append("\t\t\tdefault -> null;\n\t\t};\n\t}\n\n}\n").toString();
	}

}
