package dev.kubeinformer.codec.generator;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.kubeinformer.codec.generator.MessageField.Shape;

/**
 * Source of one decoder.
 */
final class DecoderSource {

	static final String PACKAGE = "dev.kubeinformer.internal.codec.protobuf";

	private static final Map<String, Integer> WIRE_TYPES = Map.of("int32", 0, "int64", 0, "bool", 0, "double", 1);

	private final String message;

	private final Class<?> modelClass;

	private final Body body = new Body();

	private final List<Inline> inlines = new ArrayList<>();

	private final StringBuilder empty = new StringBuilder();

	private final StringBuilder absent = new StringBuilder();

	DecoderSource(String message, Class<?> modelClass) {
		this.message = message;
		this.modelClass = modelClass;
	}

	String name() {
		return this.modelClass.getSimpleName() + "Decoder";
	}

	Body body() {
		return this.body;
	}

	/**
	 * Sets a field of new models to a shared empty list or map, unless the models must be
	 * modifiable.
	 * @param field the field
	 */
	void empty(ModelField field) {
		boolean map = field.type().getTypeName().startsWith("java.util.Map");
		this.empty
			.append("\t\t\tmodel.set%s(Collections.empty%s());\n".formatted(field.accessor(), map ? "Map" : "List"));
	}

	/**
	 * Sets a list or map to {@code null} if it is absent in protobuf. JSON always
	 * contains the field, with {@code null} in this case.
	 * @param field the field
	 */
	void absentIsNull(ModelField field) {
		this.absent.append("\t\tmodel.set%s(null);\n".formatted(field.accessor()));
	}

	String source() {
		StringBuilder source = new StringBuilder("package %s;\n\n".formatted(PACKAGE));
		if (!this.empty.isEmpty()) {
			source.append("import java.util.Collections;\n\n");
		}
		source.append("import %s;\n\n".formatted(this.modelClass.getName()));
		source.append("/** Decoder of {@code %s}. Generated. */\n".formatted(this.message));
		source.append("@SuppressWarnings(\"deprecation\")\nfinal class %s implements MessageDecoder<%s> {\n\n"
			.formatted(name(), this.modelClass.getSimpleName()));
		source.append("\tstatic final %s INSTANCE = new %s();\n\n".formatted(name(), name()));
		source.append("\tprivate %s() {\n\t}\n\n".formatted(name()));
		source.append("\t@Override\n\tpublic %s decode(ProtobufReader reader) throws MalformedMessageException {\n"
			.formatted(this.modelClass.getSimpleName()));
		source.append("\t\t%1$s model = new %1$s();\n".formatted(this.modelClass.getSimpleName()));
		if (!this.empty.isEmpty()) {
			source.append("\t\tif (!reader.modifiable()) {\n%s\t\t}\n".formatted(this.empty));
		}
		source.append(this.absent);
		source.append(this.body.loop("\t\t")).append("\t\treturn model;\n\t}\n\n");
		source.append(this.body.names("\t"));
		for (Inline inline : this.inlines) {
			source.append('\n').append(inline.source(this.modelClass));
		}
		return source.append("\n}\n").toString();
	}

	/**
	 * Returns the index of decoders by model.
	 * @param types the simple names of the models
	 * @return the source
	 */
	static String index(List<String> types) {
		StringBuilder source = new StringBuilder("package %s;\n\n".formatted(PACKAGE));
		source.append("import org.jspecify.annotations.Nullable;\n\n");
		source
			.append("/** Index of the decoders of built-in types. Generated. */\nfinal class GeneratedDecoders {\n\n");
		source.append("\tprivate GeneratedDecoders() {\n\t}\n\n");
		source.append("\tstatic @Nullable MessageDecoder<?> find(String model) {\n\t\treturn switch (model) {\n");
		for (String type : types) {
			source.append("\t\t\tcase \"%1$s\" -> %1$sDecoder.INSTANCE;\n".formatted(type));
		}
		return source.append("\t\t\tdefault -> null;\n\t\t};\n\t}\n\n}\n").toString();
	}

	static int tag(MessageField field) {
		int wireType = (field.shape() == Shape.MAP) ? 2 : WIRE_TYPES.getOrDefault(field.type(), 2);
		return field.number() << 3 | wireType;
	}

	/**
	 * Statements for the fields of a message.
	 */
	final class Body {

		private final StringBuilder cases = new StringBuilder();

		private final StringBuilder names = new StringBuilder();

		void field(MessageField field, ModelField modelField, String value) {
			String statement = "model.set%s(%s)".formatted(modelField.accessor(), value);
			if (field.jsonName().equals("managedFields")) {
				this.cases
					.append("\t\t\t\tcase %d -> {\n\t\t\t\t\tif (reader.keepsManagedFields()) {\n\t\t\t\t\t\t%s;\n"
						.formatted(tag(field), statement));
				this.cases
					.append("\t\t\t\t\t}\n\t\t\t\t\telse {\n\t\t\t\t\t\treader.skip(tag);\n\t\t\t\t\t}\n\t\t\t\t}\n");
				name(field);
				return;
			}
			add(field, statement);
		}

		private void add(MessageField field, String statement) {
			this.cases.append("\t\t\t\tcase %d -> %s;\n".formatted(tag(field), statement));
			name(field);
		}

		private void name(MessageField field) {
			if (!field.jsonName().equals("-")) {
				this.names.append("\t\t\tcase %d -> \"%s\";\n".formatted(field.number(), field.jsonName()));
			}
		}

		Body inline(MessageField field) {
			String simpleName = field.type().substring(field.type().lastIndexOf('.') + 1);
			Inline inline = new Inline(simpleName + "Inline", new Body());
			DecoderSource.this.inlines.add(inline);
			add(field, "reader.inline(%s.INSTANCE, model)".formatted(inline.name()));
			return inline.body();
		}

		String loop(String indent) {
			String loop = "\t\tfor (int tag = reader.nextField(); tag != 0; tag = reader.nextField()) {\n\t\t\tswitch (tag) {\n"
					+ this.cases + "\t\t\t\tdefault -> reader.skip(tag);\n\t\t\t}\n\t\t}\n";
			return loop.replace("\n\t\t", "\n" + indent).replaceFirst("^\t\t", indent);
		}

		String names(String indent) {
			String method = "\t@Override\n\tpublic String fieldName(int number) {\n\t\treturn switch (number) {\n"
					+ this.names + "\t\t\tdefault -> \"\";\n\t\t};\n\t}\n";
			return method.replace("\n\t", "\n" + indent).replaceFirst("^\t", indent);
		}

	}

	/**
	 * Message that exists only in protobuf: JSON has its fields in the enclosing object.
	 *
	 * @param name the name of its class
	 * @param body the statements for its fields
	 */
	private record Inline(String name, Body body) {

		String source(Class<?> modelClass) {
			String model = modelClass.getSimpleName();
			return "\tprivate static final class %1$s implements InlineDecoder<%2$s> {\n\n".formatted(this.name, model)
					+ "\t\tstatic final %1$s INSTANCE = new %1$s();\n\n\t\t@Override\n".formatted(this.name)
					+ "\t\tpublic void decode(ProtobufReader reader, %s model) throws MalformedMessageException {\n"
						.formatted(model)
					+ this.body.loop("\t\t\t") + "\t\t}\n\n" + this.body.names("\t\t") + "\n\t}\n";
		}

	}

}
