package dev.kubeinformer.spring.cluster;

import java.util.Map;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.cache.Lister;

/**
 * Listers of the cached objects of a class in several clusters, such as
 * {@code ClusterListers<V1Pod>}. Inject it by this type;
 * {@code @InformerSource(cluster = ...)} selects the clusters. By default, all named
 * clusters are selected.
 *
 * @param <T> the model class
 */
public interface ClusterListers<T extends KubernetesObject> {

	/**
	 * Returns the lister of a cluster's objects.
	 * @param cluster the name of the cluster
	 * @return the lister
	 * @throws IllegalArgumentException if the cluster is not selected
	 */
	Lister<T> get(String cluster);

	/**
	 * Returns all listers. Each call includes clusters that were added at run time,
	 * without those that were removed.
	 * @return the listers by the name of the cluster, in alphabetical order
	 */
	Map<String, Lister<T>> all();

}
