package dev.kubeinformer.spring.cluster;

import java.util.Set;

import io.kubernetes.client.openapi.ApiClient;

import dev.kubeinformer.Informers;
import dev.kubeinformer.types.ClusterName;

/**
 * The clusters of an application: the default one, that of {@code kubernetes.client}, and
 * those that have a name, by {@code kubernetes.clusters} or because they were added.
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
	 * @param name the name; {@value #DEFAULT} for the default one
	 * @return the informers
	 * @throws IllegalArgumentException if there is no such cluster
	 */
	Informers get(String name);

	/**
	 * Adds a cluster. Handlers and reconcilers whose {@code cluster} is {@code *} get a
	 * container for it, which is started if the application runs. It does not wait for
	 * anything that the cluster holds.
	 * @param name the name, of lower-case letters, digits and '-'
	 * @param apiClient the client; it is not changed, and not closed when the cluster is
	 * removed
	 * @return the informers of the cluster
	 * @throws IllegalArgumentException if that is no name of a cluster, or one has it
	 * already, or an id clashes
	 */
	Informers add(String name, ApiClient apiClient);

	/**
	 * Removes a cluster that was added: its handlers and reconcilers are stopped and
	 * removed, its informers stopped, its caches freed. Listers that were handed out are
	 * empty from then on.
	 * @param name the name
	 * @throws IllegalArgumentException if there is no such cluster, or it is the default
	 * one
	 */
	void remove(String name);

}
