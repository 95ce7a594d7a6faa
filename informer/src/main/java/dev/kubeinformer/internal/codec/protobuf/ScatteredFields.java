package dev.kubeinformer.internal.codec.protobuf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Reads repeated fields with other fields between their elements. At the second group of
 * elements, all remaining elements of the field are read. The reader skips these elements
 * when it reaches them later.
 */
final class ScatteredFields {

	private final ProtobufReader reader;

	private final ModelCollections collections;

	/** Collections that are complete: all elements of their field were read. */
	private @Nullable Map<Object, Boolean> complete;

	ScatteredFields(ProtobufReader reader, ModelCollections collections) {
		this.reader = reader;
		this.collections = collections;
	}

	/** Forgets the complete collections after a message was read. */
	void forget() {
		this.complete = null;
	}

	/**
	 * Reads the remaining elements of a list.
	 * @param <E> the element type
	 * @param tag the tag of the field, which was already read
	 * @param before the previous elements
	 * @param element the reader of an element
	 * @return the list
	 * @throws MalformedMessageException if an element cannot be read
	 */
	<E> List<E> list(int tag, List<E> before, ValueReader<E> element) throws MalformedMessageException {
		if (isComplete(before)) {
			this.reader.skip(tag);
			return before;
		}
		List<Object> elements = new ArrayList<>(before);
		elements.add(this.reader.element(element, elements.size()));
		int behind = this.reader.position;
		for (int next = this.reader.nextTag(); next != 0; next = this.reader.nextTag()) {
			if (next == tag) {
				elements.add(this.reader.element(element, elements.size()));
			}
			else {
				this.reader.skip(next);
			}
		}
		this.reader.position = behind;
		return complete(this.collections.list(elements.toArray()));
	}

	/**
	 * Reads the remaining entries of a map.
	 * @param <V> the value type
	 * @param tag the tag of the field, which was already read
	 * @param before the previous entries
	 * @param value the reader of a value
	 * @return the map
	 * @throws MalformedMessageException if an entry cannot be read
	 */
	<V> Map<String, V> map(int tag, Map<String, V> before, ValueReader<V> value) throws MalformedMessageException {
		if (isComplete(before)) {
			this.reader.skip(tag);
			return before;
		}
		List<@Nullable Object> keysAndValues = new ArrayList<>();
		before.forEach((key, each) -> {
			keysAndValues.add(key);
			keysAndValues.add(each);
		});
		@Nullable Object[] entry = new Object[2];
		this.reader.entry(value, entry, 0);
		keysAndValues.addAll(Arrays.asList(entry));
		int behind = this.reader.position;
		for (int next = this.reader.nextTag(); next != 0; next = this.reader.nextTag()) {
			if (next == tag) {
				this.reader.entry(value, entry, 0);
				keysAndValues.addAll(Arrays.asList(entry));
			}
			else {
				this.reader.skip(next);
			}
		}
		this.reader.position = behind;
		return complete(this.collections.map(keysAndValues.toArray()));
	}

	private boolean isComplete(Object collection) {
		return this.complete != null && this.complete.containsKey(collection);
	}

	private <C> C complete(C collection) {
		if (this.complete == null) {
			this.complete = new IdentityHashMap<>();
		}
		this.complete.put(collection, true);
		return collection;
	}

}
