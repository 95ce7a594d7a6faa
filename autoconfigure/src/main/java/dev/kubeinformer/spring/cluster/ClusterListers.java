package dev.kubeinformer.spring.cluster;

import java.util.Map;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.cache.Lister;

/**
 * Listers of the cached objects of a class in several clusters. Inject them by this type,
 * such as {@code ClusterListers<V1Pod>}. {@code @InformerSource(cluster = ...)} selects
 * the clusters. By default, all named clusters are selected.
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
	 * Returns the listers of all selected clusters that exist at the time of the call.
	 * Clusters can be added and removed at run time.
	 * @return the listers by the name of the cluster, in alphabetical order
	 */
	Map<String, Lister<T>> all();

}
