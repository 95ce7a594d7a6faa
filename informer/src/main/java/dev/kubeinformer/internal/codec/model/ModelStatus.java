package dev.kubeinformer.internal.codec.model;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.Map;

import com.google.gson.annotations.SerializedName;
import org.jspecify.annotations.Nullable;

/**
 * Creates the missing status of a model. The class of the status is found by reflection.
 */
public final class ModelStatus {

	private ModelStatus() {
	}

	/**
	 * Sets an empty status in a model that has no status. Does nothing if the class of
	 * the status has no constructor without parameters.
	 * @param <T> the class
	 * @param model the model
	 * @return the model, or a copy if the fields of its class are final
	 */
	@SuppressWarnings("unchecked") // A rebuilt model has the same class.
	public static <T> T created(T model) {
		ModelClass modelClass = ModelClass.of(model.getClass());
		Field field = modelClass.fields().stream().filter(ModelStatus::isStatus).findFirst().orElse(null);
		if (field == null || !modelClass.isAccessible() || ModelClass.get(field, model) != null) {
			return model;
		}
		Object status = make(field.getType());
		if (status == null) {
			return model;
		}
		if (Modifier.isFinal(field.getModifiers())) {
			return (T) modelClass.rebuilt(model, (each, value) -> each.equals(field) ? status : value);
		}
		ModelClass.set(field, model, status);
		return model;
	}

	private static boolean isStatus(Field field) {
		SerializedName annotation = field.getAnnotation(SerializedName.class);
		return ((annotation != null) ? annotation.value() : field.getName()).equals("status");
	}

	private static @Nullable Object make(Class<?> type) {
		if (type == Map.class) {
			return new LinkedHashMap<>();
		}
		if (type.getName().startsWith("java.") || Modifier.isAbstract(type.getModifiers()) || type.isRecord()) {
			return null;
		}
		try {
			type.getDeclaredConstructor();
			return ModelClass.of(type).make();
		}
		catch (NoSuchMethodException | InvocationTargetException | IllegalArgumentException ex) {
			return null;
		}
	}

}
