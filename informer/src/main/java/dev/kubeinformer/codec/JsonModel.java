package dev.kubeinformer.codec;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.sym.BinaryNameMatcher;
import tools.jackson.core.sym.PropertyNameMatcher;

/**
 * Reads the objects of one class of models, by its fields as Gson sees them.
 */
final class JsonModel extends JsonValue {

	private final Constructor<?> constructor;

	private final PropertyNameMatcher names;

	private final ModelProperty[] properties;

	/** Fields in which a new model has an empty collection, which need not be its own. */
	private final Field[] empties;

	private final Object[] sharedEmpties;

	private JsonModel(Constructor<?> constructor, List<ModelProperty> properties, List<Field> empties) {
		this.constructor = constructor;
		this.names = BinaryNameMatcher.construct(properties.stream().map(ModelProperty::name).toList());
		this.properties = properties.toArray(ModelProperty[]::new);
		this.empties = empties.toArray(Field[]::new);
		this.sharedEmpties = empties.stream()
			.map((field) -> (field.getType() == Map.class) ? CompactMap.of(new Object[0], 0)
					: CompactList.of(new Object[0], 0))
			.toArray();
	}

	/**
	 * Looks at a class.
	 * @param type the class
	 * @param models the settings
	 * @return its reader; {@code null} if it is no class of models
	 */
	static @Nullable JsonModel of(Class<?> type, JsonModels models) {
		try {
			Constructor<?> constructor = type.getDeclaredConstructor();
			if (!constructor.trySetAccessible() || Modifier.isAbstract(type.getModifiers())) {
				return null;
			}
			List<ModelProperty> properties = new ArrayList<>();
			List<Field> fields = fields(type);
			for (Field field : fields) {
				if (!field.trySetAccessible()) {
					return null;
				}
				if (models.keepsManagedFields() || field.getDeclaringClass() != V1ObjectMeta.class
						|| !field.getName().equals("managedFields")) {
					properties.add(new ModelProperty(name(field), field, models));
				}
			}
			List<Field> empties = models.modifiable() ? List.of() : empties(constructor.newInstance(), fields);
			return new JsonModel(constructor, properties, empties);
		}
		catch (NoSuchMethodException | InvocationTargetException ex) {
			return null;
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException("'%s' cannot be looked at".formatted(type.getName()), ex);
		}
	}

	static List<Field> fields(Class<?> type) {
		List<Field> fields = new ArrayList<>();
		for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
			for (Field field : each.getDeclaredFields()) {
				if ((field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0 && !field.isSynthetic()) {
					fields.add(field);
				}
			}
		}
		return fields;
	}

	private static String name(Field field) {
		SerializedName name = field.getAnnotation(SerializedName.class);
		return (name != null) ? name.value() : field.getName();
	}

	private static List<Field> empties(Object model, List<Field> fields) throws IllegalAccessException {
		List<Field> empties = new ArrayList<>();
		for (Field field : fields) {
			if (field.getType() == List.class || field.getType() == Map.class) {
				Object value = field.get(model);
				if ((value instanceof Collection<?> collection && collection.isEmpty())
						|| (value instanceof Map<?, ?> map && map.isEmpty())) {
					empties.add(field);
				}
			}
		}
		return empties;
	}

	@Override
	Object read(JsonReader reader) {
		reader.begin(JsonToken.START_OBJECT, this.constructor.getDeclaringClass());
		JsonParser parser = reader.parser();
		Object model = instantiate();
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

	private Object instantiate() {
		try {
			Object model = this.constructor.newInstance();
			for (int i = 0; i < this.empties.length; i++) {
				this.empties[i].set(model, this.sharedEmpties[i]);
			}
			return model;
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException("'%s' cannot be created".formatted(this.constructor), ex);
		}
	}

}
