package dev.kubeinformer.informer;

import java.util.List;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Content of a cache at one moment. Objects, indexes and resourceVersion are consistent
 * and never change. Reading does not acquire a lock. The objects are shared and must not
 * be modified.
 * <p>
 * Lists are views, so obtaining one does not copy the content. A list keeps the whole
 * content in memory; if you keep a few of its objects for long, copy them.
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
	 * Returns all objects of a namespace whose labels match. This method visits each
	 * object of the namespace; an index is faster for frequent queries.
	 * @param namespace the namespace
	 * @param labelSelector a selector in the syntax of the Kubernetes API, such as
	 * {@code app=web,tier in (front,back),!canary}; blank for all
	 * @return an unmodifiable list, in no particular order
	 * @throws IllegalArgumentException if the selector is not valid; the message has the
	 * position
	 */
	List<T> list(String namespace, String labelSelector);

	/**
	 * Returns all objects of all namespaces whose labels match.
	 * @param labelSelector a selector in the syntax of the Kubernetes API; blank for all
	 * @return an unmodifiable list, in no particular order
	 * @throws IllegalArgumentException if the selector is not valid; the message has the
	 * position
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
	 * Returns the objects for which an index function returned a value.
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
	 * Returns the version of this content; for several namespaces, the lowest one.
	 * @return the resourceVersion; empty before the first sync, and while an added
	 * namespace is being listed
	 */
	String resourceVersion();

}
