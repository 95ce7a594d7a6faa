package dev.kubeinformer.internal.store;

import java.util.List;

import kotlinx.collections.immutable.ExtensionsKt;
import kotlinx.collections.immutable.PersistentMap;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.text.HashedText;
import dev.kubeinformer.internal.text.NameHash;

/**
 * Objects by namespace. Immutable.
 * <p>
 * A persistent map keeps all keys of the same hash in a single row, so many equal hashes
 * make it slow. At first, the hash of a namespace is {@link String#hashCode()}, which the
 * string has already computed. If many names have the same hash, somebody has chosen them
 * to collide. From then on, an unpredictable hash is used.
 *
 * @param <T> the model class
 * @param tables the tables by name, or by name and hash; no table is empty
 * @param ofHash the number of names with each hash; empty once the unpredictable hash is
 * used
 * @param hash the hash function of the names; {@code null} for {@link String#hashCode()}
 */
record Namespaces<T>(PersistentMap<Object, ObjectTable<T>> tables, PersistentMap<Integer, Integer> ofHash,
		@Nullable NameHash hash) {

	/** Largest number of equal hashes that counts as an accident. */
	private static final int MOST_OF_ONE_HASH = 8;

	static <T> Namespaces<T> none() {
		return new Namespaces<>(ExtensionsKt.persistentHashMapOf(), ExtensionsKt.persistentHashMapOf(), null);
	}

	private static Object key(String name, @Nullable NameHash hash) {
		return (hash != null) ? new HashedText(name, hash.of(name)) : name;
	}

	private static String name(Object key) {
		return (key instanceof HashedText hashed) ? String.valueOf(hashed.text()) : (String) key;
	}

	@Nullable ObjectTable<T> get(String name) {
		return this.tables.get(key(name, this.hash));
	}

	List<String> names() {
		return this.tables.keySet().stream().map(Namespaces::name).toList();
	}

	Builder<T> builder() {
		return new Builder<>(this);
	}

	/**
	 * Collects changes.
	 *
	 * @param <T> the model class
	 */
	static final class Builder<T> {

		private PersistentMap.Builder<Object, ObjectTable<T>> tables;

		private PersistentMap<Integer, Integer> ofHash;

		private @Nullable NameHash hash;

		private Builder(Namespaces<T> namespaces) {
			this.tables = namespaces.tables.builder();
			this.ofHash = namespaces.ofHash;
			this.hash = namespaces.hash;
		}

		void put(String name, ObjectTable<T> table) {
			boolean added = this.tables.put(key(name, this.hash), table) == null;
			if (added && this.hash == null && count(name, 1) > MOST_OF_ONE_HASH) {
				spread(NameHash.random());
			}
		}

		void remove(String name) {
			boolean removed = this.tables.remove(key(name, this.hash)) != null;
			if (removed && this.hash == null) {
				count(name, -1);
			}
		}

		private int count(String name, int more) {
			int count = this.ofHash.getOrDefault(name.hashCode(), 0) + more;
			this.ofHash = (count == 0) ? this.ofHash.remove(name.hashCode()) : this.ofHash.put(name.hashCode(), count);
			return count;
		}

		private void spread(NameHash spreading) {
			PersistentMap.Builder<Object, ObjectTable<T>> next = ExtensionsKt
				.<Object, ObjectTable<T>>persistentHashMapOf()
				.builder();
			this.tables.forEach((name, table) -> next.put(key(name(name), spreading), table));
			this.tables = next;
			this.ofHash = ExtensionsKt.persistentHashMapOf();
			this.hash = spreading;
		}

		Namespaces<T> build() {
			return new Namespaces<>(this.tables.build(), this.ofHash, this.hash);
		}

	}

}
