package dev.kubeinformer.internal.store;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.ObjectKey;

/**
 * The custom index functions of a store. They are user code: they run outside the store's
 * lock, and one that throws leaves the object out of that index only.
 *
 * @param <T> the model class
 */
final class IndexFunctions<T> {

	private final Map<String, Function<T, List<String>>> functions;

	private final IndexErrorHandler errorHandler;

	IndexFunctions(Map<String, Function<T, List<String>>> functions, IndexErrorHandler errorHandler) {
		this.functions = Collections.unmodifiableMap(new LinkedHashMap<>(functions));
		this.errorHandler = errorHandler;
	}

	IndexFunctions<T> and(Map<String, Function<T, List<String>>> more) {
		more.keySet().forEach((name) -> {
			if (this.functions.containsKey(name)) {
				throw new IllegalArgumentException("There is an index named '%s' already".formatted(name));
			}
		});
		Map<String, Function<T, List<String>>> all = new LinkedHashMap<>(this.functions);
		all.putAll(more);
		return new IndexFunctions<>(all, this.errorHandler);
	}

	Map<String, Function<T, List<String>>> asMap() {
		return this.functions;
	}

	StoredObject<T> apply(StoredObject<T> stored) {
		if (this.functions.isEmpty()) {
			return stored.withIndexValues(null);
		}
		Map<String, List<@Nullable String>> values = new LinkedHashMap<>();
		this.functions.forEach((name, function) -> {
			List<@Nullable String> found = apply(name, function, stored);
			if (!found.isEmpty()) {
				values.put(name, found);
			}
		});
		return stored.withIndexValues(values);
	}

	private List<@Nullable String> apply(String name, Function<T, List<String>> function, StoredObject<T> stored) {
		try {
			@Nullable List<@Nullable String> values = function.apply(stored.object());
			return (values != null) ? new ArrayList<>(values) : List.of();
		}
		catch (Exception | Error ex) {
			this.errorHandler.indexFunctionFailed(name, stored.key(), ex);
			return List.of();
		}
	}

	/**
	 * Is told of index functions that throw.
	 */
	@FunctionalInterface
	interface IndexErrorHandler {

		void indexFunctionFailed(String indexName, ObjectKey key, Throwable cause);

	}

}
