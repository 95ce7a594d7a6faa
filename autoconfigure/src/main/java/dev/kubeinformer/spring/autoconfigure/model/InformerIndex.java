package dev.kubeinformer.spring.autoconfigure.model;

import java.util.Collection;
import java.util.function.Function;

import io.kubernetes.client.common.KubernetesObject;

/**
 * An index of caches, by values that a function gives of each object. A bean of this type
 * is an index of all informers on the class, in all clusters, whoever asks for them. It
 * is read by {@code informer.getIndexer().byIndex(name, value)}. The bean method must
 * declare the full generic type, such as {@code InformerIndex<V1Pod>}.
 *
 * @param <T> the model class
 */
public interface InformerIndex<T extends KubernetesObject> {

	/**
	 * Returns the name of the index.
	 * @return the name, which no other index of the class has
	 */
	String name();

	/**
	 * Returns under which values an object is found. It is called by the thread that
	 * reads from the API server, and holds up the cache. An object for which it throws is
	 * left out of this index.
	 * @param object the object as it is cached
	 * @return the values; none for an object that is not in the index
	 */
	Collection<String> keys(T object);

	/**
	 * Creates an index of a function.
	 * @param <T> the model class
	 * @param name the name of the index
	 * @param keys gives the values under which an object is found
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
