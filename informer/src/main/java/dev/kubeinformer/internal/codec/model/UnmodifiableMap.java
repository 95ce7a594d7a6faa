package dev.kubeinformer.internal.codec.model;

import java.io.Serial;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Unmodifiable map. Methods that modify a map throw an
 * {@link UnsupportedOperationException}, even if there is nothing to change.
 *
 * @param <K> the key type
 * @param <V> the value type
 */
interface UnmodifiableMap<K, V> extends Map<K, @Nullable V> {

	@Override
	default @Nullable V put(K key, @Nullable V value) {
		throw Unmodifiable.refused();
	}

	@Override
	default void putAll(Map<? extends K, ? extends @Nullable V> map) {
		throw Unmodifiable.refused();
	}

	@Override
	default @Nullable V putIfAbsent(K key, @Nullable V value) {
		throw Unmodifiable.refused();
	}

	@Override
	default @Nullable V remove(@Nullable Object key) {
		throw Unmodifiable.refused();
	}

	@Override
	default boolean remove(@Nullable Object key, @Nullable Object value) {
		throw Unmodifiable.refused();
	}

	@Override
	default @Nullable V replace(K key, @Nullable V value) {
		throw Unmodifiable.refused();
	}

	@Override
	default boolean replace(K key, @Nullable V oldValue, @Nullable V newValue) {
		throw Unmodifiable.refused();
	}

	@Override
	default void replaceAll(BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> function) {
		throw Unmodifiable.refused();
	}

	@Override
	default @Nullable V compute(K key,
			BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> remappingFunction) {
		throw Unmodifiable.refused();
	}

	@Override
	default @Nullable V computeIfAbsent(K key, Function<? super K, ? extends @Nullable V> mappingFunction) {
		throw Unmodifiable.refused();
	}

	@Override
	default @Nullable V computeIfPresent(K key,
			BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> remappingFunction) {
		throw Unmodifiable.refused();
	}

	@Override
	default @Nullable V merge(K key, @Nullable V value,
			BiFunction<? super @Nullable V, ? super @Nullable V, ? extends @Nullable V> remappingFunction) {
		throw Unmodifiable.refused();
	}

	@Override
	default void clear() {
		throw Unmodifiable.refused();
	}

	/**
	 * Entry of an unmodifiable map.
	 *
	 * @param <K> the key type
	 * @param <V> the value type
	 */
	final class Entry<K, V> extends SimpleImmutableEntry<K, @Nullable V> {

		@Serial
		private static final long serialVersionUID = 1L;

		Entry(K key, @Nullable V value) {
			super(key, value);
		}

		@Override
		public @Nullable V setValue(@Nullable V value) {
			throw Unmodifiable.refused();
		}

	}

}
