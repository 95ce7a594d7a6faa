package dev.kubeinformer.internal.overlay;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.store.StoreSnapshot;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.internal.store.UnreadableObject;
import dev.kubeinformer.types.ObjectKey;

/**
 * Content of a store at one instant, in which the results of a reconciler's own writes
 * replace the objects of the store. Immutable.
 *
 * @param <T> the model class
 * @see WriteOverlay
 */
public final class OverlaidSnapshot<T> {

	private final StoreSnapshot<T> base;

	private final WriteLayer<T> layer;

	private final Map<String, Function<T, List<String>>> indexers;

	OverlaidSnapshot(StoreSnapshot<T> base, WriteLayer<T> layer, Map<String, Function<T, List<String>>> indexers) {
		this.base = base;
		this.layer = layer;
		this.indexers = indexers;
	}

	private @Nullable LaidWrite<T> laid(ObjectKey key) {
		LaidWrite<T> write = this.layer.get(key);
		return (write != null && !write.until().isSeenBy(this.base)) ? write : null;
	}

	/**
	 * Returns one object with its identity.
	 * @param key the key
	 * @return the object, or {@code null} if there is none
	 */
	public @Nullable StoredObject<T> find(ObjectKey key) {
		LaidWrite<T> write = laid(key);
		return (write != null) ? write.object : this.base.find(key.namespace(), key.name());
	}

	/**
	 * Returns an object that cannot be read.
	 * @param key the key
	 * @return the readable part of the object; {@code null} if it can be read or does not
	 * exist
	 */
	public @Nullable UnreadableObject unreadable(ObjectKey key) {
		UnreadableObject unreadable = this.base.unreadable(key);
		return (unreadable != null && laid(key) == null) ? unreadable : null;
	}

	/**
	 * Returns whether all objects can be read.
	 * @return {@code true} if no object is unreadable
	 */
	public boolean isReadable() {
		return this.base.unreadable().isEmpty();
	}

	/**
	 * Returns the objects that cannot be read.
	 * @return the objects
	 */
	public Stream<UnreadableObject> unreadable() {
		return this.base.unreadable().values().stream().filter((each) -> laid(each.key()) == null);
	}

	/**
	 * Returns the objects for which an index function returned a value.
	 * @param indexName the name of an index whose values the overlay knows
	 * @param value the value
	 * @return a new list; empty also if there is no such index
	 */
	public List<T> byIndex(String indexName, String value) {
		Collection<StoredObject<T>> stored = this.base.storedByIndex(indexName, value);
		List<T> objects = new ArrayList<>(stored.size() + 1);
		if (this.layer.isEmpty()) {
			stored.forEach((each) -> objects.add(each.object()));
			return objects;
		}
		for (StoredObject<T> each : stored) {
			if (laid(each.key()) == null) {
				objects.add(each.object());
			}
		}
		Function<T, List<String>> function = this.indexers.get(indexName);
		for (ObjectKey key : this.layer.keys(value)) {
			LaidWrite<T> write = laid(key);
			StoredObject<T> object = (write != null) ? write.object : null;
			if (object != null && function != null && function.apply(object.object()).contains(value)) {
				objects.add(object.object());
			}
		}
		return objects;
	}

}
