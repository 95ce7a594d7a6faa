package dev.kubeinformer.internal.codec.model;

import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serial;
import java.io.Serializable;
import java.util.AbstractSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

/**
 * Unmodifiable map with too many entries for a {@link CompactMap}.
 *
 * @param <K> the key type
 * @param <V> the value type
 */
final class LargeMap<K, V> implements UnmodifiableMap<K, V>, Serializable {

	@Serial
	private static final long serialVersionUID = 1L;

	private final transient Map<K, @Nullable V> entries;

	/**
	 * Creates a map.
	 * @param entries the entries, which must no longer be changed
	 */
	LargeMap(Map<K, @Nullable V> entries) {
		this.entries = entries;
	}

	@Override
	public int size() {
		return this.entries.size();
	}

	@Override
	public boolean isEmpty() {
		return this.entries.isEmpty();
	}

	@Override
	public @Nullable V get(@Nullable Object key) {
		return this.entries.get(key);
	}

	@Override
	public @Nullable V getOrDefault(@Nullable Object key, @Nullable V defaultValue) {
		return this.entries.getOrDefault(key, defaultValue);
	}

	@Override
	public boolean containsKey(@Nullable Object key) {
		return this.entries.containsKey(key);
	}

	@Override
	public boolean containsValue(@Nullable Object value) {
		return this.entries.containsValue(value);
	}

	@Override
	public void forEach(BiConsumer<? super K, ? super @Nullable V> action) {
		this.entries.forEach(action);
	}

	@Override
	public Set<K> keySet() {
		return new UnmodifiableSet<>(this.entries.keySet());
	}

	@Override
	public Collection<@Nullable V> values() {
		return new UnmodifiableView<>(this.entries.values());
	}

	@Override
	public Set<Map.Entry<K, @Nullable V>> entrySet() {
		return new UnmodifiableSet<>(new Entries<>(this.entries.entrySet()));
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other == this || this.entries.equals(other);
	}

	@Override
	public int hashCode() {
		return this.entries.hashCode();
	}

	@Override
	public String toString() {
		return this.entries.toString();
	}

	/**
	 * Serialises a map of the JDK instead, which can be read without this class.
	 * @return an unmodifiable map of the same entries
	 */
	@Serial
	Object writeReplace() {
		return Collections.unmodifiableMap(new LinkedHashMap<>(this.entries));
	}

	@Serial
	private void readObject(ObjectInputStream stream) throws InvalidObjectException {
		throw new InvalidObjectException("Maps are written as those of the JDK");
	}

	private static final class Entries<K, V> extends AbstractSet<Map.Entry<K, @Nullable V>> {

		private final Set<Map.Entry<K, @Nullable V>> entries;

		Entries(Set<Map.Entry<K, @Nullable V>> entries) {
			this.entries = entries;
		}

		@Override
		public int size() {
			return this.entries.size();
		}

		@Override
		public boolean contains(@Nullable Object entry) {
			return this.entries.contains(entry);
		}

		@Override
		public Iterator<Map.Entry<K, @Nullable V>> iterator() {
			Iterator<Map.Entry<K, @Nullable V>> each = this.entries.iterator();
			return new Iterator<>() {

				@Override
				public boolean hasNext() {
					return each.hasNext();
				}

				@Override
				public Map.Entry<K, @Nullable V> next() {
					Map.Entry<K, @Nullable V> entry = each.next();
					return new Entry<>(entry.getKey(), entry.getValue());
				}

			};
		}

	}

}
