package dev.kubeinformer.internal.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.internal.text.PrintableText;

/**
 * Custom index functions of a store. The functions are application code, so they run
 * outside the store's lock. If a function throws an exception for an object, the object
 * is missing from the index of this function, but not from the store.
 *
 * @param <T> the model class
 */
final class IndexFunctions<T> {

	private static final Logger logger = LoggerFactory.getLogger(ObjectStore.class);

	private final Map<String, Function<T, List<String>>> functions;

	private IndexFunctions(Map<String, Function<T, List<String>>> functions) {
		this.functions = Collections.unmodifiableMap(functions);
	}

	static <T> IndexFunctions<T> none() {
		return new IndexFunctions<>(Map.of());
	}

	IndexFunctions<T> and(Map<String, Function<T, List<String>>> more) {
		more.keySet().forEach((name) -> {
			if (this.functions.containsKey(name)) {
				throw new IllegalArgumentException("There is an index named '%s' already".formatted(name));
			}
		});
		Map<String, Function<T, List<String>>> all = new LinkedHashMap<>(this.functions);
		all.putAll(more);
		return new IndexFunctions<>(all);
	}

	Map<String, Function<T, List<String>>> asMap() {
		return this.functions;
	}

	/**
	 * Computes the index values of the objects of a change.
	 * @param objects the objects
	 * @param present the current content, whose objects have index values already
	 * @param indexed the map that receives the objects with their index values; not
	 * changed if there is no function
	 */
	void apply(Collection<StoredObject<T>> objects, StoreSnapshot<T> present,
			Map<StoredObject<T>, StoredObject<T>> indexed) {
		if (!this.functions.isEmpty()) {
			// A loop and not a stream, because each event gets here.
			for (StoredObject<T> object : objects) {
				if (present.find(object.namespace(), object.name()) != object) {
					indexed.put(object, apply(object));
				}
			}
		}
	}

	StoredObject<T> apply(StoredObject<T> stored) {
		if (this.functions.isEmpty()) {
			return stored.withIndexValues(null);
		}
		Map<String, List<@Nullable String>> values = new LinkedHashMap<>();
		for (Map.Entry<String, Function<T, List<String>>> each : this.functions.entrySet()) {
			List<@Nullable String> found = apply(each.getKey(), each.getValue(), stored);
			if (!found.isEmpty()) {
				values.put(each.getKey(), found);
			}
		}
		return stored.withIndexValues(compact(values));
	}

	// Keeps the values in a compact form, because most objects have only one value in one
	// index and stay cached for long.
	private static Map<String, List<@Nullable String>> compact(Map<String, List<@Nullable String>> values) {
		if (values.size() != 1) {
			return values.isEmpty() ? Map.of() : values;
		}
		Map.Entry<String, List<@Nullable String>> only = values.entrySet().iterator().next();
		List<@Nullable String> found = only.getValue();
		return Map.of(only.getKey(), (found.size() == 1) ? Collections.singletonList(found.get(0)) : found);
	}

	private List<@Nullable String> apply(String name, Function<T, List<String>> function, StoredObject<T> stored) {
		try {
			@Nullable List<@Nullable String> values = function.apply(stored.object());
			return (values != null) ? new ArrayList<>(values) : List.of();
		}
		catch (Exception | Error ex) {
			logger.warn("Index function '{}' failed for '{}': {}; the object is left out of it", name,
					PrintableText.of(stored.key().toString()), ex.getClass().getName());
			return List.of();
		}
	}

}
