package dev.kubeinformer.internal.codec.copy;

/**
 * Copies values of any class deeply.
 */
@FunctionalInterface
public interface ValueCopier {

	/**
	 * Copies a value.
	 * @param <V> the class
	 * @param value the value
	 * @return a copy that shares nothing mutable
	 */
	<V> V copy(V value);

}
