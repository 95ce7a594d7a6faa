package dev.kubeinformer.internal.codec.json;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.sym.BinaryNameMatcher;
import tools.jackson.core.sym.PropertyNameMatcher;

import dev.kubeinformer.internal.codec.model.CompactList;
import dev.kubeinformer.internal.codec.model.CompactMap;
import dev.kubeinformer.internal.codec.model.ModelClass;
import dev.kubeinformer.internal.codec.model.UnmodifiableModels;

/** Reads the objects of one model class. It uses the same fields and names as Gson. */
final class JsonModel extends JsonValue {

	private final Class<?> type;

	private final ModelClass modelClass;

	private final PropertyNameMatcher names;

	/** Fields ordered by name; a field with several names occurs several times. */
	private final ModelProperty[] properties;

	private final BiFunction<@Nullable Object, Class<?>, @Nullable Object> defaults;

	/**
	 * Fields that contain an empty collection in a new model. Models may share such a
	 * collection.
	 */
	private final Field[] empties;

	private final Object[] sharedEmpties;

	/**
	 * Reads the fields of a class.
	 * @param type the class, with type arguments if it has type parameters
	 * @param models the settings
	 */
	JsonModel(Type type, JsonModels models) {
		this.type = ModelTypes.raw(type);
		this.modelClass = ModelClass.of(this.type);
		ModelTypes types = new ModelTypes(type);
		List<String> all = new ArrayList<>();
		List<ModelProperty> found = new ArrayList<>();
		List<Field> fields = this.modelClass.fields();
		for (int i = 0; i < fields.size(); i++) {
			Field field = fields.get(i);
			if (models.keepsManagedFields() || field.getDeclaringClass() != V1ObjectMeta.class
					|| !field.getName().equals("managedFields")) {
				ModelProperty property = new ModelProperty(field, i, types, models);
				for (String name : names(field)) {
					all.add(name);
					found.add(property);
				}
			}
		}
		this.names = BinaryNameMatcher.construct(all);
		this.properties = found.toArray(ModelProperty[]::new);
		this.defaults = models.modifiable() ? (value, each) -> value : UnmodifiableModels::frozen;
		this.empties = (models.modifiable() || this.modelClass.isMadeOfValues()) ? new Field[0] : empties();
		this.sharedEmpties = Arrays.stream(this.empties)
			.map((field) -> (field.getType() == Map.class) ? CompactMap.of(new Object[0], 0)
					: CompactList.of(new Object[0], 0))
			.toArray();
	}

	/**
	 * Returns the JSON names of a field.
	 * @param field the field
	 * @return the name and its alternatives
	 */
	static List<String> names(Field field) {
		SerializedName annotation = field.getAnnotation(SerializedName.class);
		if (annotation == null) {
			return List.of(field.getName());
		}
		List<String> names = new ArrayList<>(List.of(annotation.value()));
		names.addAll(List.of(annotation.alternate()));
		return names;
	}

	private Field[] empties() {
		Object model;
		try {
			model = this.modelClass.make();
		}
		catch (InvocationTargetException ex) {
			// The constructor will fail for each object, and that failure is reported.
			return new Field[0];
		}
		return this.modelClass.fields().stream().filter((field) -> isEmpty(field, model)).toArray(Field[]::new);
	}

	private static boolean isEmpty(Field field, Object model) {
		if (field.getType() != List.class && field.getType() != Map.class && field.getType() != Collection.class) {
			return false;
		}
		Object value = ModelClass.get(field, model);
		return (value instanceof Collection<?> collection && collection.isEmpty())
				|| (value instanceof Map<?, ?> map && map.isEmpty());
	}

	@Override
	Object read(JsonReader reader) {
		reader.begin(JsonToken.START_OBJECT, this.type);
		return this.modelClass.isMadeOfValues() ? readValues(reader) : readFields(reader);
	}

	private Object readFields(JsonReader reader) {
		JsonParser parser = reader.parser();
		Object model = instantiate(reader);
		for (;;) {
			int name = parser.nextNameMatch(this.names);
			if (name == PropertyNameMatcher.MATCH_END_OBJECT) {
				return model;
			}
			parser.nextToken();
			if (name >= 0) {
				this.properties[name].read(reader, model);
			}
			else {
				parser.skipChildren();
			}
		}
	}

	private Object instantiate(JsonReader reader) {
		try {
			Object model = this.modelClass.make();
			for (int i = 0; i < this.empties.length; i++) {
				ModelClass.set(this.empties[i], model, this.sharedEmpties[i]);
			}
			return model;
		}
		catch (InvocationTargetException ex) {
			throw refused(reader, ex, "");
		}
	}

	private Object readValues(JsonReader reader) {
		JsonParser parser = reader.parser();
		@Nullable Object[] values = new Object[this.modelClass.fields().size()];
		Arrays.fill(values, ModelClass.MISSING);
		for (;;) {
			int name = parser.nextNameMatch(this.names);
			if (name == PropertyNameMatcher.MATCH_END_OBJECT) {
				break;
			}
			parser.nextToken();
			if (name >= 0) {
				values[this.properties[name].index()] = this.properties[name].read(reader);
			}
			else {
				parser.skipChildren();
			}
		}
		try {
			return this.modelClass.make(values, this.defaults);
		}
		catch (IllegalArgumentException ex) {
			throw reader.mismatch(this.type, Objects.requireNonNullElse(ex.getMessage(), ""));
		}
		catch (InvocationTargetException ex) {
			throw refused(reader, ex, missing(values));
		}
	}

	private String missing(@Nullable Object[] values) {
		String names = Arrays.stream(this.properties)
			.filter((each) -> values[each.index()] == ModelClass.MISSING || values[each.index()] == null)
			.map((each) -> "'%s'".formatted(each.name()))
			.distinct()
			.collect(Collectors.joining(", "));
		if (names.isEmpty()) {
			return "";
		}
		return ", and there is no value for " + names + (this.modelClass.isStrict()
				? "; give what may be missing a type that allows null, or a default that is not null" : "");
	}

	// The message of the exception may quote values.
	private FieldMismatchException refused(JsonReader reader, InvocationTargetException ex, String missing) {
		return reader.mismatch(this.type,
				"its constructor threw %s%s".formatted(ex.getTargetException().getClass().getName(), missing));
	}

}
