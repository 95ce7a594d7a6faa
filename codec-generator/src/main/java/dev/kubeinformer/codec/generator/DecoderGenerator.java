package dev.kubeinformer.codec.generator;

import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.codec.generator.MessageField.Shape;

/**
 * Generates a decoder class for each protobuf message that occurs in a built-in type, and
 * a class that copies its models. It starts with the types in the catalogue and follows
 * the declared types of their fields, so it never guesses the name of a model class.
 */
public final class DecoderGenerator {

	private static final String MODELS = "io.kubernetes.client.openapi.models.";

	private static final String META = "k8s.io.apimachinery.pkg.apis.meta.v1.";

	private static final String RUNTIME = "k8s.io.apimachinery.pkg.runtime.";

	private static final String EXTENSIONS = "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.";

	/** Messages with a special form in JSON, and the methods that read them. */
	private static final Map<String, Special> SPECIAL = Map.of(META + "Time", new Special(OffsetDateTime.class, "time"), //
			META + "MicroTime", new Special(OffsetDateTime.class, "microTime"), //
			META + "FieldsV1", new Special(Object.class, "json"), //
			RUNTIME + "RawExtension", new Special(Object.class, "json"), //
			EXTENSIONS + "JSON", new Special(Object.class, "json"), //
			EXTENSIONS + "JSONSchemaPropsOrArray", new Special(Object.class, "schemaOrList"), //
			EXTENSIONS + "JSONSchemaPropsOrBool", new Special(Object.class, "schemaOrBool"), //
			EXTENSIONS + "JSONSchemaPropsOrStringArray", new Special(Object.class, "schemaOrStrings"), //
			"k8s.io.apimachinery.pkg.api.resource.Quantity", new Special(Quantity.class, "quantity"), //
			"k8s.io.apimachinery.pkg.util.intstr.IntOrString", new Special(IntOrString.class, "intOrString"));

	/**
	 * Scalar types of protobuf, with the class of their values and the method that reads
	 * them.
	 */
	private static final Map<String, Special> SCALARS = Map.of("string", new Special(String.class, "string"), "int32",
			new Special(Integer.class, "int32"), "int64", new Special(Long.class, "int64"), "bool",
			new Special(Boolean.class, "bool"), "double", new Special(Double.class, "float64"), "bytes",
			new Special(byte[].class, "bytes"));

	/**
	 * Names in {@link Special#method()} for which ScalarReader has a constant that reads
	 * an element of a list or map.
	 */
	private static final Set<String> OF_ELEMENTS = Set.of("string", "int32", "int64", "bool", "bytes", "time",
			"quantity", "intOrString", "json", "schemaOrStrings");

	private final Map<String, List<MessageField>> messages;

	private final List<String> problems = new ArrayList<>();

	/** Messages whose decoders are not yet generated, each with its model class. */
	private final Deque<Map.Entry<String, Class<?>>> todo = new ArrayDeque<>();

	private final Map<Class<?>, String> known = new HashMap<>();

	private final Map<String, String> sources = new TreeMap<>();

	private final ZeroesSource zeroes = new ZeroesSource();

	/** Simple names of the model classes of built-in types. */
	private final List<String> types = new ArrayList<>();

	DecoderGenerator(Map<String, List<MessageField>> messages) {
		this.messages = messages;
	}

	/**
	 * Writes the decoders.
	 * @param args the catalogue of built-in types, and the folder for sources
	 * @throws Exception if messages and models do not match, or a file cannot be read or
	 * written
	 */
	public static void main(String[] args) throws Exception {
		Map<String, List<MessageField>> messages = MessageTable.read();
		DecoderGenerator generator = new DecoderGenerator(messages);
		generator.problems.addAll(OfficialDescriptors.differences(messages));
		for (String line : Files.readAllLines(Path.of(args[0]))) {
			if (!line.startsWith("#") && !line.isBlank()) {
				String[] columns = line.split(" ");
				generator.add(message(columns[0], columns[1], columns[3]), Class.forName(MODELS + columns[5]));
			}
		}
		write(generator.sources(), Path.of(args[1]).resolve(DecoderSource.PACKAGE.replace('.', '/')));
		write(generator.copiers(), Path.of(args[1]).resolve(CopierSource.PACKAGE.replace('.', '/')));
		write(Map.of(ZeroesSource.NAME, generator.zeroes.source()),
				Path.of(args[1]).resolve(ZeroesSource.PACKAGE.replace('.', '/')));
	}

	/**
	 * Adds a built-in type.
	 * @param message the name of its message
	 * @param modelClass the class of its models
	 */
	void add(String message, Class<?> modelClass) {
		decoder(message, modelClass);
		this.types.add(modelClass.getSimpleName());
	}

	/**
	 * Returns the sources of the decoders of the added types and their nested messages,
	 * and of the index class.
	 * @return the sources by class name
	 * @throws GenerationException if messages and models do not match
	 */
	Map<String, String> sources() {
		while (!this.todo.isEmpty()) {
			Map.Entry<String, Class<?>> next = this.todo.pop();
			generate(next.getKey(), next.getValue());
		}
		if (!this.problems.isEmpty()) {
			throw new GenerationException("Decoders would lose data:\n  " + String.join("\n  ", this.problems));
		}
		this.sources.put("GeneratedDecoders", DecoderSource.index(this.types));
		return this.sources;
	}

	/**
	 * Returns the sources of the copiers of all models with a decoder, and of their index
	 * class.
	 * @return the sources by class name
	 */
	Map<String, String> copiers() {
		Map<String, String> copiers = new TreeMap<>();
		CopierSource source = new CopierSource(this.known.keySet());
		Set<String> names = new TreeSet<>();
		for (Class<?> modelClass : this.known.keySet()) {
			names.add(modelClass.getSimpleName());
			copiers.put(CopierSource.name(modelClass), source.source(modelClass, ModelField.of(modelClass).values()));
		}
		copiers.put(CopierSource.INDEX, CopierSource.index(names));
		return copiers;
	}

	private static String message(String group, String version, String kind) {
		String name = switch (group) {
			case "-" -> "api.core";
			case "internal.apiserver.k8s.io" -> "api.apiserverinternal";
			case "apiextensions.k8s.io" -> "apiextensions_apiserver.pkg.apis.apiextensions";
			case "apiregistration.k8s.io" -> "kube_aggregator.pkg.apis.apiregistration";
			default -> "api." + group.split("\\.")[0];
		};
		return "k8s.io." + name + "." + version + "." + kind;
	}

	/**
	 * Returns the decoder of a message, and schedules its generation if it does not exist
	 * yet.
	 * @param message the message
	 * @param modelClass the class of its models
	 * @return the name of the class
	 */
	private String decoder(String message, Class<?> modelClass) {
		String before = this.known.putIfAbsent(modelClass, message);
		if (before == null) {
			this.todo.add(Map.entry(message, modelClass));
		}
		else if (!before.equals(message)) {
			this.problems
				.add("'%s' is the model of both '%s' and '%s'".formatted(modelClass.getName(), before, message));
		}
		return modelClass.getSimpleName() + "Decoder";
	}

	private void generate(String message, Class<?> modelClass) {
		DecoderSource source = new DecoderSource(message, modelClass);
		Map<String, ModelField> modelFields = ModelField.of(modelClass);
		Set<String> filled = new HashSet<>(KnownDifferences.notInProtobuf(modelClass));
		fields(message, modelClass, modelFields, source, source.body(), filled);
		modelFields.forEach((name, field) -> {
			if (!filled.contains(name)) {
				this.problems.add("'%s' has the field '%s', which the message '%s' does not have"
					.formatted(modelClass.getName(), name, message));
			}
			if (field.startsEmpty()) {
				source.empty(field);
			}
		});
		this.sources.put(source.name(), source.source());
	}

	private void fields(String message, Class<?> modelClass, Map<String, ModelField> modelFields, DecoderSource source,
			DecoderSource.Body body, Set<String> filled) {
		List<MessageField> fields = this.messages.get(message);
		if (fields == null) {
			this.problems.add("the message '%s' of '%s' is unknown".formatted(message, modelClass.getName()));
			return;
		}
		for (MessageField field : fields) {
			if (field.presence() == Presence.INLINE) {
				fields(field.type(), modelClass, modelFields, source, body.inline(field), filled);
				continue;
			}
			ModelField modelField = modelFields.get(field.jsonName());
			if (modelField == null) {
				this.problems.add("'%s' has no field '%s', which the message '%s' has".formatted(modelClass.getName(),
						field.jsonName(), message));
				continue;
			}
			filled.add(field.jsonName());
			String value = value(message, field, modelField);
			if (value == null) {
				this.problems.add(("the field '%s' of '%s' is a %s%s, which no reader converts to the model's %s")
					.formatted(field.jsonName(), message, field.type(),
							(field.shape() != Shape.SINGLE) ? " " + field.shape() : "",
							modelField.type().getTypeName()));
				continue;
			}
			body.field(field, modelField, value);
			this.zeroes.add(modelClass, field);
			if (field.presence() == Presence.ALWAYS && field.shape() != Shape.SINGLE) {
				source.absentIsNull(modelField);
			}
		}
	}

	// Returns the expression that reads a field; null if the types do not match.
	private @Nullable String value(String message, MessageField field, ModelField modelField) {
		String special = KnownDifferences.reader(message, field.jsonName());
		if (special != null) {
			return special;
		}
		return switch (field.shape()) {
			case SINGLE -> single(field, modelField.type());
			case REPEATED -> {
				String element = element(field, argument(modelField.type(), List.class, 0));
				yield (element != null)
						? "reader.list(tag, model.get%s(), %s)".formatted(modelField.accessor(), element) : null;
			}
			case MAP -> {
				String element = element(field, argument(modelField.type(), Map.class, 1));
				yield (element != null) ? "reader.map(tag, model.get%s(), %s)".formatted(modelField.accessor(), element)
						: null;
			}
		};
	}

	private @Nullable String single(MessageField field, Type type) {
		Special scalar = SCALARS.get(field.type());
		if (scalar != null) {
			if (scalar.type() != type) {
				return null;
			}
			boolean omitted = field.presence() == Presence.OMITTED;
			String method = scalar.method();
			return "reader.%s()".formatted(
					omitted ? "omitted" + Character.toUpperCase(method.charAt(0)) + method.substring(1) : method);
		}
		Special special = SPECIAL.get(field.type());
		if (special != null) {
			return (special.type() == type) ? "SpecialMessages.%s(reader)".formatted(special.method()) : null;
		}
		if (isElements(field.type())) {
			return (argument(type, List.class, 0) == String.class) ? "SpecialMessages.strings(reader)" : null;
		}
		if (type == Object.class) {
			// The models have no class for an empty message.
			return this.messages.getOrDefault(field.type(), List.of(field)).isEmpty()
					? "SpecialMessages.emptyObject(reader)" : null;
		}
		return isModel(type) ? "reader.message(%s.INSTANCE)".formatted(decoder(field.type(), (Class<?>) type)) : null;
	}

	// Returns the reader of an element of a repeated field, or of a value of a map.
	// Returns null if the types do not match, or if no reader exists.
	private @Nullable String element(MessageField field, @Nullable Type type) {
		Special simple = SCALARS.getOrDefault(field.type(), SPECIAL.get(field.type()));
		if (simple != null) {
			return (simple.type() == type && OF_ELEMENTS.contains(simple.method()))
					? "ScalarReader." + constant(simple.method()) : null;
		}
		if (isElements(field.type())) {
			return (argument(type, List.class, 0) == String.class) ? "ScalarReader.STRINGS" : null;
		}
		return (type instanceof Class<?> model && isModel(model)) ? decoder(field.type(), model) + ".INSTANCE" : null;
	}

	private static String constant(String method) {
		return method.replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT);
	}

	private boolean isElements(String message) {
		List<MessageField> fields = this.messages.getOrDefault(message, List.of());
		return fields.size() == 1 && fields.get(0).presence() == Presence.ELEMENTS
				&& fields.get(0).type().equals("string");
	}

	private static boolean isModel(@Nullable Type type) {
		return type instanceof Class<?> modelClass && modelClass.getName().startsWith(MODELS);
	}

	private static @Nullable Type argument(@Nullable Type type, Class<?> raw, int index) {
		return (type instanceof ParameterizedType parameterized && parameterized.getRawType() == raw)
				? parameterized.getActualTypeArguments()[index] : null;
	}

	private static void write(Map<String, String> sources, Path folder) throws IOException {
		Files.createDirectories(folder);
		Set<Path> written = new HashSet<>();
		for (Map.Entry<String, String> source : sources.entrySet()) {
			Path file = folder.resolve(source.getKey() + ".java");
			written.add(file);
			// Leave an unchanged file as it is, so that it is not compiled again.
			if (!Files.exists(file) || !Files.readString(file).equals(source.getValue())) {
				Files.writeString(file, source.getValue());
			}
		}
		try (Stream<Path> files = Files.list(folder)) {
			for (Path file : files.filter((each) -> !written.contains(each)).toList()) {
				Files.delete(file);
			}
		}
	}

	/**
	 * Method that reads a type of protobuf.
	 *
	 * @param type the class of its values
	 * @param method the method of the reader
	 */
	private record Special(Class<?> type, String method) {

	}

}
