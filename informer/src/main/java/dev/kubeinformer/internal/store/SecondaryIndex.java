package dev.kubeinformer.internal.store;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import kotlinx.collections.immutable.ExtensionsKt;
import kotlinx.collections.immutable.PersistentMap;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.text.HashedText;
import dev.kubeinformer.internal.text.NameHash;

/**
 * Custom index at one instant: the objects by the values that a function returned for
 * them. Immutable.
 * <p>
 * A persistent map keeps all keys of the same hash in a single row. Somebody may choose
 * values and names that collide, so their hash is unpredictable.
 *
 * @param <T> the model class
 * @param byValue the objects by value; {@code null} is a value too
 * @param hash the hash function of values and names
 */
record SecondaryIndex<T>(PersistentMap<HashedText, PersistentMap<Name, StoredObject<T>>> byValue, NameHash hash) {

	static <T> SecondaryIndex<T> empty() {
		return new SecondaryIndex<>(ExtensionsKt.persistentHashMapOf(), NameHash.random());
	}

	Collection<StoredObject<T>> objects(@Nullable String value) {
		PersistentMap<Name, StoredObject<T>> entries = this.byValue.get(hashed(value));
		return (entries != null) ? entries.values() : List.of();
	}

	private HashedText hashed(@Nullable String value) {
		return new HashedText(value, (value != null) ? this.hash.of(value) : 0);
	}

	private Name hashed(StoredObject<T> stored) {
		return new Name(stored.namespace(), stored.name(), this.hash.of(stored.namespace(), stored.name()));
	}

	/**
	 * Returns the values that an index function returned for an object.
	 * @param stored the object
	 * @param indexName the name of the index
	 * @return the values, empty if there are none
	 */
	static List<@Nullable String> values(StoredObject<?> stored, String indexName) {
		Map<String, List<@Nullable String>> all = stored.indexValues();
		return (all != null) ? all.getOrDefault(indexName, List.of()) : List.of();
	}

	/** Collects the changes of one index. */
	static final class Builder<T> {

		private final String name;

		private final SecondaryIndex<T> index;

		private final PersistentMap.Builder<HashedText, PersistentMap<Name, StoredObject<T>>> byValue;

		Builder(String name, SecondaryIndex<T> index) {
			this.name = name;
			this.index = index;
			this.byValue = index.byValue.builder();
		}

		void remove(StoredObject<T> stored) {
			for (@Nullable
			String value : values(stored, this.name)) {
				HashedText key = this.index.hashed(value);
				PersistentMap<Name, StoredObject<T>> entries = this.byValue.get(key);
				if (entries != null) {
					PersistentMap<Name, StoredObject<T>> rest = entries.remove(this.index.hashed(stored));
					if (rest.isEmpty()) {
						this.byValue.remove(key);
					}
					else {
						this.byValue.put(key, rest);
					}
				}
			}
		}

		void put(StoredObject<T> stored) {
			for (@Nullable
			String value : values(stored, this.name)) {
				HashedText key = this.index.hashed(value);
				PersistentMap<Name, StoredObject<T>> entries = this.byValue.get(key);
				if (entries == null) {
					entries = ExtensionsKt.persistentHashMapOf();
				}
				this.byValue.put(key, entries.put(this.index.hashed(stored), stored));
			}
		}

		SecondaryIndex<T> build() {
			return new SecondaryIndex<>(this.byValue.build(), this.index.hash);
		}

	}

	/**
	 * Name of an object with its hash.
	 *
	 * @param namespace the namespace
	 * @param name the name
	 * @param hash the hash
	 */
	record Name(String namespace, String name, int hash) {

		@Override
		public boolean equals(@Nullable Object other) {
			return other instanceof Name key && this.hash == key.hash && this.name.equals(key.name)
					&& this.namespace.equals(key.namespace);
		}

		@Override
		public int hashCode() {
			return this.hash;
		}

	}

}
