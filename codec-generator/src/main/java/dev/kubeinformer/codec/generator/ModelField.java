package dev.kubeinformer.codec.generator;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

import com.google.gson.annotations.SerializedName;

/**
 * Field of a model class.
 *
 * @param type the type
 * @param accessor the name of its getter and setter without {@code get} and {@code set}
 * @param startsEmpty {@code true} if a new model has an empty list or map in this field;
 * {@code false} if the field is {@code null} or has another type
 */
record ModelField(Type type, String accessor, boolean startsEmpty) {

	/**
	 * Returns the fields of a model by their names in JSON.
	 * @param modelClass the class
	 * @return the fields
	 */
	static Map<String, ModelField> of(Class<?> modelClass) {
		Map<String, ModelField> fields = new LinkedHashMap<>();
		try {
			Object empty = modelClass.getConstructor().newInstance();
			for (Field field : modelClass.getDeclaredFields()) {
				SerializedName name = field.getAnnotation(SerializedName.class);
				if (name != null) {
					field.setAccessible(true);
					Object value = field.get(empty);
					boolean startsEmpty = value instanceof Collection || value instanceof Map;
					fields.put(name.value(),
							new ModelField(field.getGenericType(), accessor(modelClass, field), startsEmpty));
				}
			}
		}
		catch (ReflectiveOperationException ex) {
			throw new GenerationException("Cannot instantiate or read '%s': %s".formatted(modelClass.getName(), ex));
		}
		return fields;
	}

	private static String accessor(Class<?> modelClass, Field field) {
		String property = field.getName().replaceFirst("^_", "");
		for (Method method : modelClass.getMethods()) {
			String name = method.getName();
			if (name.startsWith("set") && name.substring(3).equalsIgnoreCase(property)
					&& method.getParameterCount() == 1 && method.getParameterTypes()[0] == field.getType()) {
				return name.substring(3);
			}
		}
		throw new GenerationException(
				"'%s' has no setter for the field '%s'".formatted(modelClass.getName(), field.getName()));
	}

}
