package dev.kubeinformer.store;

import java.util.List;
import java.util.Map;

import kotlinx.collections.immutable.ExtensionsKt;
import kotlinx.collections.immutable.PersistentMap;
import org.jspecify.annotations.Nullable;

/**
 * One custom index at one instant: which objects a function gave which value. Immutable.
 *
 * @param <T> the model class
 * @param byValue the objects by value; {@code null} is a value too
 */
record SecondaryIndex<T>(PersistentMap<@Nullable String, PersistentMap<ObjectKey, StoredObject<T>>> byValue) {

	static <T> SecondaryIndex<T> empty() {
		return new SecondaryIndex<>(ExtensionsKt.persistentHashMapOf());
	}

	PersistentMap<ObjectKey, StoredObject<T>> entries(@Nullable String value) {
		PersistentMap<ObjectKey, StoredObject<T>> entries = this.byValue.get(value);
		return (entries != null) ? entries : ExtensionsKt.persistentHashMapOf();
	}

	/**
	 * Values that the index functions gave an object.
	 * @param stored the object
	 * @param indexName the name of the index
	 * @return the values, empty if there are none
	 */
	static List<@Nullable String> values(StoredObject<?> stored, String indexName) {
		Map<String, List<@Nullable String>> all = stored.indexValues();
		return (all != null) ? all.getOrDefault(indexName, List.of()) : List.of();
	}

	/**
	 * Collects changes of one index.
	 */
	static final class Builder<T> {

		private final String name;

		private final PersistentMap.Builder<@Nullable String, PersistentMap<ObjectKey, StoredObject<T>>> byValue;

		Builder(String name, SecondaryIndex<T> index) {
			this.name = name;
			this.byValue = index.byValue.builder();
		}

		void remove(StoredObject<T> stored) {
			for (@Nullable
			String value : values(stored, this.name)) {
				PersistentMap<ObjectKey, StoredObject<T>> entries = this.byValue.get(value);
				if (entries != null) {
					PersistentMap<ObjectKey, StoredObject<T>> rest = entries.remove(stored.key());
					if (rest.isEmpty()) {
						this.byValue.remove(value);
					}
					else {
						this.byValue.put(value, rest);
					}
				}
			}
		}

		void put(StoredObject<T> stored) {
			for (@Nullable
			String value : values(stored, this.name)) {
				PersistentMap<ObjectKey, StoredObject<T>> entries = this.byValue.get(value);
				if (entries == null) {
					entries = ExtensionsKt.persistentHashMapOf();
				}
				this.byValue.put(value, entries.put(stored.key(), stored));
			}
		}

		SecondaryIndex<T> build() {
			return new SecondaryIndex<>(this.byValue.build());
		}

	}

}
