package dev.kubeinformer.spring.cluster;

import java.util.Set;

import io.kubernetes.client.openapi.ApiClient;

import dev.kubeinformer.Informers;
import dev.kubeinformer.types.ClusterName;

/**
 * Clusters of an application: the default cluster of {@code kubernetes.client}, and named
 * clusters, which are configured by {@code kubernetes.clusters} or added at run time.
 * <p>
 * All methods may be called from any thread.
 */
public interface InformerClusters {

	/** Name of the default cluster. */
	String DEFAULT = ClusterName.DEFAULT;

	/**
	 * Returns the names of all clusters but the default one.
	 * @return the names, in alphabetical order
	 */
	Set<String> names();

	/**
	 * Returns the informers of a cluster.
	 * @param name the name; {@value #DEFAULT} for the default cluster
	 * @return the informers
	 * @throws IllegalArgumentException if the cluster does not exist
	 */
	Informers get(String name);

	/**
	 * Adds a cluster. Handlers and reconcilers with {@code cluster = "*"} get a container
	 * for it, which is started if the application is running. Does not wait for the
	 * caches of the cluster.
	 * @param name the name; lower-case letters, digits and '-'
	 * @param apiClient the client; it is neither modified nor closed when the cluster is
	 * removed
	 * @return the informers of the cluster
	 * @throws IllegalArgumentException if the name is not valid or is in use, or if an id
	 * in the cluster conflicts with another id
	 */
	Informers add(String name, ApiClient apiClient);

	/**
	 * Removes an added cluster: stops and removes its handlers and reconcilers, stops its
	 * informers and frees their caches. Existing listers are empty from then on.
	 * @param name the name
	 * @throws IllegalArgumentException if the cluster does not exist, or is the default
	 * one
	 */
	void remove(String name);

}
