package dev.kubeinformer.internal.codec.model;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import com.google.gson.JsonElement;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.copy.ExactCopier;
import dev.kubeinformer.internal.codec.copy.GeneratedCopiers;
import dev.kubeinformer.internal.codec.copy.ValueCopier;
import dev.kubeinformer.resource.Metadata;

/**
 * Copies models deeply. A copy shares only immutable values with its original, such as
 * numbers, times and quantities. The objects are copied one by one and not through JSON,
 * because JSON would lose nulls in maps and the formats of quantities.
 */
public final class ModelCopies {

	private static final String BUILT_IN = "io.kubernetes.client.openapi.models";

	private static final ValueCopier OTHERS = ModelCopies::copy;

	private static final ClassValue<Optional<ExactCopier>> COPIERS = new ClassValue<>() {

		@Override
		protected Optional<ExactCopier> computeValue(Class<?> type) {
			ExactCopier copier = type.getPackageName().equals(BUILT_IN) ? GeneratedCopiers.find(type.getSimpleName())
					: null;
			return Optional.ofNullable(copier).filter((found) -> found.copies(type));
		}

	};

	private ModelCopies() {
	}

	/**
	 * Copies a model, or a value in a model.
	 * @param <T> the class
	 * @param model the model
	 * @return a copy that shares nothing mutable, and whose collections are mutable
	 * @throws IllegalArgumentException if a class in it cannot be instantiated
	 */
	@SuppressWarnings("unchecked") // A copy has the same type.
	public static <T> T copy(T model) {
		return (T) Objects.requireNonNull(copyOf(model));
	}

	private static @Nullable Object copyOf(@Nullable Object value) {
		if (value instanceof Map<?, ?> map) {
			return copyOfMap(map);
		}
		if (value instanceof Collection<?> collection) {
			return copyOfCollection(collection);
		}
		if (value != null && value.getClass().isArray()) {
			return copyOfArray(value);
		}
		if (value instanceof JsonElement json) {
			return json.deepCopy();
		}
		if (value instanceof DynamicKubernetesObject dynamic) {
			return new DynamicKubernetesObject(dynamic.getRaw().deepCopy());
		}
		if (value instanceof Metadata<?> object) {
			return new Metadata<>(object.getApiVersion(), object.getKind(), copy(object.getMetadata()));
		}
		return (value != null && ModelClass.isModel(value)) ? copyOfModel(value) : value;
	}

	private static Map<?, ?> copyOfMap(Map<?, ?> map) {
		Map<Object, @Nullable Object> copy = modifiable(map, LinkedHashMap::new);
		map.forEach((key, value) -> copy.put(key, copyOf(value)));
		return copy;
	}

	private static Collection<?> copyOfCollection(Collection<?> collection) {
		Collection<@Nullable Object> copy = (collection.getClass() == ArrayList.class)
				? new ArrayList<>(collection.size()) : modifiable(collection,
						() -> (collection instanceof Set) ? new LinkedHashSet<>() : new ArrayList<>(collection.size()));
		copy.clear();
		collection.forEach((element) -> copy.add(copyOf(element)));
		return copy;
	}

	// Returns a mutable collection of the same kind. Collections of the JDK that can be
	// cloned are mutable and keep their class.
	@SuppressWarnings("unchecked") // A clone has the same class.
	private static <C> C modifiable(Object collection, Supplier<? extends C> otherwise) {
		if (!(collection instanceof Cloneable)) {
			return otherwise.get();
		}
		try {
			return (C) collection.getClass().getMethod("clone").invoke(collection);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalArgumentException("A '%s' cannot be copied".formatted(collection.getClass().getName()),
					ex);
		}
	}

	private static Object copyOfArray(Object array) {
		if (array instanceof byte[] bytes) {
			return bytes.clone();
		}
		int length = Array.getLength(array);
		Object copy = Array.newInstance(array.getClass().getComponentType(), length);
		if (array instanceof Object[] elements) {
			for (int i = 0; i < length; i++) {
				Array.set(copy, i, copyOf(elements[i]));
			}
		}
		else {
			System.arraycopy(array, 0, copy, 0, length);
		}
		return copy;
	}

	private static Object copyOfModel(Object model) {
		ExactCopier copier = COPIERS.get(model.getClass()).orElse(null);
		return (copier != null) ? copier.copyExactly(model, OTHERS)
				: ModelClass.of(model.getClass()).rebuilt(model, (field, value) -> copyOf(value));
	}

}
