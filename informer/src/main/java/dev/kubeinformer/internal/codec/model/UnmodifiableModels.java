package dev.kubeinformer.internal.codec.model;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import com.google.gson.JsonElement;
import org.jspecify.annotations.Nullable;

/**
 * Makes the collections of decoded objects unmodifiable.
 */
public final class UnmodifiableModels {

	private UnmodifiableModels() {
	}

	/**
	 * Replaces the collections in a model by unmodifiable copies. A field whose type is a
	 * class such as {@code ArrayList}, and not an interface, keeps its collection. During
	 * the call, no other thread may use the model.
	 * @param <T> the class
	 * @param model the model, which this method changes
	 * @return the model, or a new model if its class has a constructor with parameters
	 * for the collections
	 */
	@SuppressWarnings("unchecked") // A new model has the same class.
	public static <T> T freeze(T model) {
		return (T) Objects.requireNonNull(frozen(model));
	}

	private static @Nullable Object frozen(@Nullable Object value) {
		if (value instanceof Map<?, ?> map) {
			return frozenMap(map);
		}
		if (value instanceof Collection<?> collection) {
			return frozenCollection(collection);
		}
		return (value != null && ModelClass.isModel(value)) ? frozenModel(value) : value;
	}

	/**
	 * Returns an unmodifiable form of the value of a field.
	 * @param value the value
	 * @param type the type of the field
	 * @return an equal value; the same instance if the type is a collection class such as
	 * {@code ArrayList}
	 */
	public static @Nullable Object frozen(@Nullable Object value, Class<?> type) {
		Object frozen = (value instanceof JsonElement) ? value : frozen(value);
		return type.isInstance(frozen) ? frozen : value;
	}

	private static Map<?, ?> frozenMap(Map<?, ?> map) {
		Map<Object, @Nullable Object> copy = new LinkedHashMap<>(map);
		copy.replaceAll((key, value) -> frozen(value));
		return CompactMap.copyOf(copy);
	}

	private static Collection<?> frozenCollection(Collection<?> collection) {
		List<@Nullable Object> copy = new ArrayList<>(collection);
		copy.replaceAll(UnmodifiableModels::frozen);
		return (collection instanceof Set) ? new UnmodifiableSet<>(new LinkedHashSet<>(copy))
				: CompactList.copyOf(copy);
	}

	private static Object frozenModel(Object model) {
		ModelClass modelClass = ModelClass.of(model.getClass());
		if (modelClass.isMadeOfValues()) {
			return modelClass.rebuilt(model, (field, value) -> frozen(value, field.getType()));
		}
		for (Field field : modelClass.fields()) {
			Object value = ModelClass.get(field, model);
			Object frozen = field.getType().isPrimitive() ? value : frozen(value, field.getType());
			if (frozen != value) {
				ModelClass.set(field, model, frozen);
			}
		}
		return model;
	}

}
