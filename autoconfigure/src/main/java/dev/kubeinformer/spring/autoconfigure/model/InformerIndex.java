package dev.kubeinformer.spring.autoconfigure.model;

import java.util.Collection;
import java.util.function.Function;

import io.kubernetes.client.common.KubernetesObject;

/**
 * Index of cached objects by the values that a function returns for them. A bean of this
 * type adds an index to all informers on the class, in all clusters. Read it with
 * {@code informer.getIndexer().byIndex(name, value)}. The bean method must declare the
 * full generic type, such as {@code InformerIndex<V1Pod>}.
 *
 * @param <T> the model class
 */
public interface InformerIndex<T extends KubernetesObject> {

	/**
	 * Returns the name of the index.
	 * @return the name, which must be unique for the class
	 */
	String name();

	/**
	 * Returns the values of an object in the index. Called on the thread that reads from
	 * the API server, so a slow function delays the cache. An object for which it throws
	 * an exception is omitted from this index.
	 * @param object the cached object
	 * @return the values; empty for an object that is not in the index
	 */
	Collection<String> keys(T object);

	/**
	 * Creates an index from a function.
	 * @param <T> the model class
	 * @param name the name of the index
	 * @param keys the function that returns the values of an object
	 * @return the index
	 */
	static <T extends KubernetesObject> InformerIndex<T> of(String name,
			Function<? super T, ? extends Collection<String>> keys) {
		return new InformerIndex<>() {

			@Override
			public String name() {
				return name;
			}

			@Override
			public Collection<String> keys(T object) {
				return keys.apply(object);
			}

			@Override
			public String toString() {
				return "Index '%s'".formatted(name);
			}

		};
	}

}
