package dev.kubeinformer.informer;

import java.util.List;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * The content of a cache at one instant: objects, indexes and resourceVersion belong
 * together and never change. Reading takes no lock. The objects are shared and must not
 * be changed.
 * <p>
 * Lists are views of the content: to get one copies nothing, however many objects it has.
 * Who keeps a list for long keeps what it shows in memory, and copies it if little of it
 * is wanted.
 *
 * @param <T> the model class
 */
public interface Snapshot<T extends KubernetesObject> {

	/**
	 * Returns all objects.
	 * @return an unmodifiable list, in no particular order
	 */
	List<T> list();

	/**
	 * Returns all objects of a namespace.
	 * @param namespace the namespace
	 * @return an unmodifiable list, in no particular order
	 */
	List<T> list(String namespace);

	/**
	 * Returns all objects of a namespace whose labels match. It looks at each object of
	 * the namespace; for frequent queries an index is faster.
	 * @param namespace the namespace
	 * @param labelSelector a selector in the syntax of the Kubernetes API, such as
	 * {@code app=web,tier in (front,back),!canary}; blank for all
	 * @return an unmodifiable list, in no particular order
	 * @throws IllegalArgumentException if the selector cannot be read; the message says
	 * where
	 */
	List<T> list(String namespace, String labelSelector);

	/**
	 * Returns all objects of all namespaces whose labels match.
	 * @param labelSelector a selector in the syntax of the Kubernetes API; blank for all
	 * @return an unmodifiable list, in no particular order
	 * @throws IllegalArgumentException if the selector cannot be read; the message says
	 * where
	 * @see #list(String, String)
	 */
	List<T> select(String labelSelector);

	/**
	 * Returns one object of a namespace.
	 * @param namespace the namespace, empty for cluster-scoped objects
	 * @param name the name
	 * @return the object, or {@code null} if there is none
	 */
	@Nullable T get(String namespace, String name);

	/**
	 * Returns one object by its key.
	 * @param key {@code namespace/name}, or {@code name} for cluster-scoped objects
	 * @return the object, or {@code null} if there is none
	 */
	@Nullable T get(String key);

	/**
	 * Returns the keys of all objects.
	 * @return an unmodifiable list, in no particular order
	 */
	List<String> keys();

	/**
	 * Returns the objects that an index function gave a value.
	 * @param indexName the name of the index
	 * @param value the value
	 * @return an unmodifiable list, in no particular order
	 * @throws IllegalArgumentException if there is no such index
	 */
	List<T> byIndex(String indexName, String value);

	/**
	 * Returns the number of objects.
	 * @return the size
	 */
	int size();

	/**
	 * Returns the version of this content; of several namespaces the lowest.
	 * @return the resourceVersion; empty before the first sync, and while a namespace
	 * that was added is listed
	 */
	String resourceVersion();

}
