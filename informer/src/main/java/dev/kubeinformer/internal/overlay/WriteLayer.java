package dev.kubeinformer.internal.overlay;

import kotlinx.collections.immutable.ExtensionsKt;
import kotlinx.collections.immutable.PersistentMap;
import kotlinx.collections.immutable.PersistentSet;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.ObjectKey;

/**
 * Content of an overlay at one instant. Immutable.
 *
 * @param <T> the model class
 * @param byKey the writes, by the keys of their objects
 * @param byValue the keys of the objects, by index value
 */
record WriteLayer<T>(PersistentMap<ObjectKey, LaidWrite<T>> byKey,
		PersistentMap<String, PersistentSet<ObjectKey>> byValue) {

	static <T> WriteLayer<T> none() {
		return new WriteLayer<>(ExtensionsKt.persistentHashMapOf(), ExtensionsKt.persistentHashMapOf());
	}

	boolean isEmpty() {
		return this.byKey.isEmpty();
	}

	int size() {
		return this.byKey.size();
	}

	@Nullable LaidWrite<T> get(ObjectKey key) {
		return this.byKey.isEmpty() ? null : this.byKey.get(key);
	}

	Iterable<ObjectKey> keys(String value) {
		PersistentSet<ObjectKey> keys = this.byValue.get(value);
		return (keys != null) ? keys : ExtensionsKt.persistentHashSetOf();
	}

	WriteLayer<T> with(LaidWrite<T> write) {
		PersistentMap<String, PersistentSet<ObjectKey>> values = this.byValue;
		for (String value : write.values) {
			PersistentSet<ObjectKey> keys = values.get(value);
			values = values.put(value,
					((keys != null) ? keys : ExtensionsKt.<ObjectKey>persistentHashSetOf()).add(write.key));
		}
		return new WriteLayer<>(this.byKey.put(write.key, write), values);
	}

	WriteLayer<T> without(LaidWrite<T> write) {
		PersistentMap<String, PersistentSet<ObjectKey>> values = this.byValue;
		for (String value : write.values) {
			PersistentSet<ObjectKey> keys = values.get(value);
			PersistentSet<ObjectKey> rest = (keys != null) ? keys.remove(write.key) : null;
			values = (rest != null && !rest.isEmpty()) ? values.put(value, rest) : values.remove(value);
		}
		return new WriteLayer<>(this.byKey.remove(write.key), values);
	}

}
