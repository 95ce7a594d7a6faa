package dev.kubeinformer.spring.cluster;

import java.util.Map;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.cache.Lister;

/**
 * Readers of the cached objects of a class, one for each of several clusters. It is
 * injected by its generic type; {@code @InformerSource(cluster = ...)} names the
 * clusters, which are all that have a name by default.
 *
 * @param <T> the model class
 */
public interface ClusterListers<T extends KubernetesObject> {

	/**
	 * Returns the reader of a cluster's objects.
	 * @param cluster the name of the cluster
	 * @return the reader
	 * @throws IllegalArgumentException if that is none of the clusters
	 */
	Lister<T> get(String cluster);

	/**
	 * Returns all readers. Clusters that come and go at run time are seen by the next
	 * call.
	 * @return the readers by the names of their clusters, in alphabetical order
	 */
	Map<String, Lister<T>> all();

}
