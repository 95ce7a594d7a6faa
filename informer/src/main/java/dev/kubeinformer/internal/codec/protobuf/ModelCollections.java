package dev.kubeinformer.internal.codec.protobuf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.model.CompactList;
import dev.kubeinformer.internal.codec.model.CompactMap;

/**
 * Creates the collections of models: compact unmodifiable collections, or mutable ones.
 */
final class ModelCollections {

	private final boolean modifiable;

	ModelCollections(boolean modifiable) {
		this.modifiable = modifiable;
	}

	@SuppressWarnings("unchecked") // The reader of the elements ensures their type.
	<E> List<E> list(Object[] elements) {
		return this.modifiable ? (List<E>) new ArrayList<>(Arrays.asList(elements))
				: (List<E>) CompactList.of(elements, elements.length);
	}

	@SuppressWarnings("unchecked") // The reader of the values ensures their type.
	<V> Map<String, V> map(@Nullable Object[] keysAndValues) {
		if (!this.modifiable) {
			return (Map<String, V>) CompactMap.of(keysAndValues, keysAndValues.length / 2);
		}
		Map<String, @Nullable Object> map = new LinkedHashMap<>();
		for (int i = 0; i < keysAndValues.length; i += 2) {
			map.put((String) keysAndValues[i], keysAndValues[i + 1]);
		}
		return (Map<String, V>) map;
	}

}
