package dev.kubeinformer.internal.codec.model;

import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serial;
import java.io.Serializable;
import java.util.AbstractCollection;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Unmodifiable map that keeps its order. It accepts null as a value, and as an argument
 * of {@code get}. It is as small as possible: one array of keys and values. Maps in
 * Kubernetes have few keys, so a linear search finds them; larger maps have an index.
 * Methods that modify a map throw an {@link UnsupportedOperationException}, even if there
 * is nothing to change.
 *
 * @param <K> the key type
 * @param <V> the value type
 */
public sealed class CompactMap<K, V> implements UnmodifiableMap<K, V>, Serializable {

	@Serial
	private static final long serialVersionUID = 1L;

	/** Maximum number of entries of a map without an index. */
	private static final int MOST_WITHOUT_INDEX = 16;

	/**
	 * Maximum number of entries of a map with an index. In a larger map, an attacker may
	 * have chosen many keys with the same hash code, and a search among them would take
	 * too long.
	 */
	private static final int MOST_WITH_INDEX = 256;

	private static final CompactMap<?, ?> EMPTY = new CompactMap<>(new Object[0]);

	// AbstractMap would add two references to views to every map.

	private final transient @Nullable Object[] keysAndValues;

	private CompactMap(@Nullable Object[] keysAndValues) {
		this.keysAndValues = keysAndValues;
	}

	/**
	 * Creates a map. For equal keys, the last value counts, at the position of the first
	 * key.
	 * @param <V> the value type
	 * @param keysAndValues alternating keys and values, which are copied; the array may
	 * be longer than the map
	 * @param entries the number of pairs in the map
	 * @return the map
	 * @throws IndexOutOfBoundsException if there are fewer pairs
	 */
	@SuppressWarnings("unchecked") // The caller ensures the types of keys and values.
	public static <V> Map<String, @Nullable V> of(@Nullable Object[] keysAndValues, int entries) {
		Objects.checkFromIndexSize(0, entries, keysAndValues.length / 2);
		return (Map<String, @Nullable V>) create(keysAndValues, 0, 2 * entries);
	}

	/**
	 * Creates a map. For equal keys, the last value counts, at the position of the first
	 * key.
	 * @param <V> the value type
	 * @param keysAndValues the array with alternating keys and values, which are copied
	 * @param from the index of the first key
	 * @param to the index after the last value
	 * @return the map
	 * @throws IndexOutOfBoundsException if there are no such keys and values
	 */
	@SuppressWarnings("unchecked") // The caller ensures the types of keys and values.
	public static <V> Map<String, @Nullable V> of(@Nullable Object[] keysAndValues, int from, int to) {
		return (Map<String, @Nullable V>) create(keysAndValues, from, to);
	}

	/**
	 * Copies a map.
	 * @param <K> the key type
	 * @param <V> the value type
	 * @param map the map
	 * @return a map of its entries
	 */
	@SuppressWarnings("unchecked") // The entries of a map have its types.
	public static <K, V> Map<K, @Nullable V> copyOf(Map<? extends K, ? extends @Nullable V> map) {
		return (Map<K, @Nullable V>) create(flat(map), 0, 2 * map.size());
	}

	private static Map<?, ?> create(@Nullable Object[] keysAndValues, int from, int to) {
		if (from == to) {
			return EMPTY;
		}
		@Nullable Object[] exact = Arrays.copyOfRange(keysAndValues, from, to, Object[].class);
		int entries = exact.length / 2;
		if (entries > MOST_WITH_INDEX) {
			return new LargeMap<>(hashed(exact));
		}
		CompactMap<?, ?> map = (entries <= MOST_WITHOUT_INDEX) ? new CompactMap<>(exact) : new Indexed<>(exact);
		for (int i = 0; i < exact.length; i += 2) {
			if (map.find(exact[i]) != i) {
				return copyOf(hashed(exact));
			}
		}
		return map;
	}

	private static Map<?, ?> hashed(@Nullable Object[] keysAndValues) {
		Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
		for (int i = 0; i < keysAndValues.length; i += 2) {
			map.put(keysAndValues[i], keysAndValues[i + 1]);
		}
		return map;
	}

	private static @Nullable Object[] flat(Map<?, ?> map) {
		@Nullable Object[] keysAndValues = new Object[2 * map.size()];
		int i = 0;
		for (Map.Entry<?, ?> entry : map.entrySet()) {
			keysAndValues[i++] = entry.getKey();
			keysAndValues[i++] = entry.getValue();
		}
		return keysAndValues;
	}

	/**
	 * Finds a key.
	 * @param key the key
	 * @return its index in the array; negative if the map does not contain it
	 */
	int find(@Nullable Object key) {
		@Nullable Object[] all = this.keysAndValues;
		for (int i = 0; i < all.length; i += 2) {
			if (Objects.equals(key, all[i])) {
				return i;
			}
		}
		return -1;
	}

	@SuppressWarnings("unchecked") // The map contains only such entries.
	private K keyAt(int index) {
		return (K) this.keysAndValues[2 * index];
	}

	@SuppressWarnings("unchecked") // The map contains only such entries.
	private @Nullable V valueAt(int index) {
		return (V) this.keysAndValues[2 * index + 1];
	}

	@Override
	public int size() {
		return this.keysAndValues.length / 2;
	}

	@Override
	public boolean isEmpty() {
		return this.keysAndValues.length == 0;
	}

	@Override
	public @Nullable V get(@Nullable Object key) {
		int index = find(key);
		return (index >= 0) ? valueAt(index / 2) : null;
	}

	@Override
	public @Nullable V getOrDefault(@Nullable Object key, @Nullable V defaultValue) {
		int index = find(key);
		return (index >= 0) ? valueAt(index / 2) : defaultValue;
	}

	@Override
	public boolean containsKey(@Nullable Object key) {
		return find(key) >= 0;
	}

	@Override
	public boolean containsValue(@Nullable Object value) {
		for (int i = 0; i < size(); i++) {
			if (Objects.equals(value, valueAt(i))) {
				return true;
			}
		}
		return false;
	}

	@Override
	public void forEach(BiConsumer<? super K, ? super @Nullable V> action) {
		Objects.requireNonNull(action);
		for (int i = 0; i < size(); i++) {
			action.accept(keyAt(i), valueAt(i));
		}
	}

	@Override
	public Set<K> keySet() {
		return new UnmodifiableSet<>(new View<>(this::keyAt, this::containsKey));
	}

	@Override
	public Collection<@Nullable V> values() {
		return new UnmodifiableView<>(new AbstractCollection<>() {

			@Override
			public Iterator<@Nullable V> iterator() {
				return new IndexIterator<>(CompactMap.this::valueAt, CompactMap.this.size());
			}

			@Override
			public int size() {
				return CompactMap.this.size();
			}

		});
	}

	@Override
	public Set<Map.Entry<K, @Nullable V>> entrySet() {
		return new UnmodifiableSet<>(new View<>(this::entryAt, this::containsEntry));
	}

	private Map.Entry<K, @Nullable V> entryAt(int index) {
		return new Entry<>(keyAt(index), valueAt(index));
	}

	private boolean containsEntry(@Nullable Object value) {
		if (!(value instanceof Map.Entry<?, ?> entry)) {
			return false;
		}
		int index = find(entry.getKey());
		return index >= 0 && Objects.equals(entry.getValue(), this.keysAndValues[index + 1]);
	}

	@Override
	public boolean equals(@Nullable Object other) {
		if (other == this) {
			return true;
		}
		if (!(other instanceof Map<?, ?> map) || map.size() != size()) {
			return false;
		}
		try {
			for (int i = 0; i < size(); i++) {
				Object value = valueAt(i);
				Object otherValue = map.get(keyAt(i));
				if (!Objects.equals(value, otherValue) || (otherValue == null && !map.containsKey(keyAt(i)))) {
					return false;
				}
			}
			return true;
		}
		catch (ClassCastException | NullPointerException ex) {
			// The other map cannot contain such a key.
			return false;
		}
	}

	@Override
	public int hashCode() {
		int hash = 0;
		for (int i = 0; i < size(); i++) {
			hash += Objects.hashCode(keyAt(i)) ^ Objects.hashCode(valueAt(i));
		}
		return hash;
	}

	@Override
	public String toString() {
		StringBuilder text = new StringBuilder("{");
		for (int i = 0; i < size(); i++) {
			text.append((i > 0) ? ", " : "").append(text(keyAt(i))).append('=').append(text(valueAt(i)));
		}
		return text.append('}').toString();
	}

	private @Nullable Object text(@Nullable Object value) {
		return (value != this) ? value : "(this Map)";
	}

	/**
	 * Serialises a map of the JDK instead, which can be read without this class.
	 * @return an unmodifiable map of the same entries
	 */
	@Serial
	Object writeReplace() {
		return Collections.unmodifiableMap(new LinkedHashMap<>(this));
	}

	@Serial
	private void readObject(ObjectInputStream stream) throws InvalidObjectException {
		throw new InvalidObjectException("Maps are written as those of the JDK");
	}

	/** Map with a hash table of the positions of its keys. */
	private static final class Indexed<K, V> extends CompactMap<K, V> {

		@Serial
		private static final long serialVersionUID = 1L;

		/**
		 * Hash table. A value is 1 plus the index of an entry, or 0 for an empty
		 * position. At most half of the positions are used.
		 */
		private final transient short[] table;

		private final transient @Nullable Object[] keys;

		Indexed(@Nullable Object[] keysAndValues) {
			super(keysAndValues);
			this.keys = keysAndValues;
			this.table = new short[2 * Integer.highestOneBit(keysAndValues.length - 1)];
			for (int i = 0; i < keysAndValues.length; i += 2) {
				int slot = slot(keysAndValues[i]);
				if (this.table[slot] == 0) {
					this.table[slot] = (short) (i + 1);
				}
			}
		}

		@Override
		int find(@Nullable Object key) {
			return this.table[slot(key)] - 1;
		}

		private int slot(@Nullable Object key) {
			int hash = Objects.hashCode(key);
			int slot = (hash ^ (hash >>> 16)) & (this.table.length - 1);
			while (this.table[slot] != 0 && !Objects.equals(key, this.keys[this.table[slot] - 1])) {
				slot = (slot + 1) & (this.table.length - 1);
			}
			return slot;
		}

	}

	private final class View<E> extends AbstractSet<E> {

		private final IntFunction<E> elements;

		private final Predicate<@Nullable Object> contains;

		View(IntFunction<E> elements, Predicate<@Nullable Object> contains) {
			this.elements = elements;
			this.contains = contains;
		}

		@Override
		public boolean contains(@Nullable Object element) {
			return this.contains.test(element);
		}

		@Override
		public Iterator<E> iterator() {
			return new IndexIterator<>(this.elements, size());
		}

		@Override
		public int size() {
			return CompactMap.this.size();
		}

	}

}
