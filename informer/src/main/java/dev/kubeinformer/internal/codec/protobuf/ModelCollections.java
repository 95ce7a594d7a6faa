package dev.kubeinformer.internal.codec.protobuf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.model.CompactList;
import dev.kubeinformer.internal.codec.model.CompactMap;

/**
 * Makes the collections of models: compact ones, or ones that can be changed.
 */
final class ModelCollections {

	private final boolean modifiable;

	/**
	 * Collections whose field was read to its end, although other fields are in between.
	 */
	private @Nullable Map<Object, Boolean> complete;

	ModelCollections(boolean modifiable) {
		this.modifiable = modifiable;
	}

	@SuppressWarnings("unchecked") // the elements come from a reader of them
	<E> List<E> list(Object[] elements) {
		return this.modifiable ? (List<E>) new ArrayList<>(Arrays.asList(elements))
				: (List<E>) CompactList.of(elements, elements.length);
	}

	@SuppressWarnings("unchecked") // the values come from a reader of them
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

	boolean isComplete(Object collection) {
		return this.complete != null && this.complete.containsKey(collection);
	}

	<C> C complete(C collection) {
		if (this.complete == null) {
			this.complete = new IdentityHashMap<>();
		}
		this.complete.put(collection, true);
		return collection;
	}

	void forgetComplete() {
		this.complete = null;
	}

}
