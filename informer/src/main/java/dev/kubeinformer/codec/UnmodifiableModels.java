package dev.kubeinformer.codec;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Makes the collections inside of models unmodifiable that were decoded to be changed
 * first, so that they are as all decoded objects are.
 *
 * @see UnmodifiableCollections
 */
public final class UnmodifiableModels {

	private UnmodifiableModels() {
	}

	/**
	 * Replaces the collections in a model by unmodifiable copies, except where a field is
	 * declared as a class of collections. Nobody else may use the model meanwhile.
	 * @param model the model; it is changed
	 */
	public static void freeze(Object model) {
		frozen(model);
	}

	private static @Nullable Object frozen(@Nullable Object value) {
		if (value instanceof Map<?, ?> map) {
			return frozenMap(map);
		}
		if (value instanceof Collection<?> collection) {
			return frozenCollection(collection);
		}
		if (value instanceof Record record) {
			return ModelClass.rebuilt(record, UnmodifiableModels::frozen);
		}
		if (value != null && ModelClass.isModel(value)) {
			freezeFields(value);
		}
		return value;
	}

	private static Map<?, ?> frozenMap(Map<?, ?> map) {
		Map<Object, @Nullable Object> copy = new LinkedHashMap<>(map);
		copy.replaceAll((key, value) -> frozen(value));
		return CompactMap.copyOf(copy);
	}

	private static Collection<?> frozenCollection(Collection<?> collection) {
		List<@Nullable Object> copy = new ArrayList<>(collection);
		copy.replaceAll(UnmodifiableModels::frozen);
		return (collection instanceof Set) ? Collections.unmodifiableSet(new LinkedHashSet<>(copy))
				: CompactList.copyOf(copy);
	}

	private static void freezeFields(Object model) {
		for (Field field : ModelClass.of(model).structures()) {
			Object value = ModelClass.get(field, model);
			Object frozen = frozen(value);
			if (frozen != value && field.getType().isInstance(frozen) && !Modifier.isFinal(field.getModifiers())) {
				ModelClass.set(field, model, frozen);
			}
		}
	}

}
