package dev.kubeinformer.spring.cluster;

import java.util.function.BooleanSupplier;

/**
 * A cluster that has a name, with what its start needs. Internal to the starter.
 *
 * @param runtime what there is for the cluster
 * @param slow looks at what is configured, and returns whether getting the client may
 * take its time; throws what is wrong with the configuration
 * @param client gets the client, which may take its time
 * @param configured whether the configuration names the cluster, so that it stays
 */
public record NamedCluster(ClusterRuntime runtime, BooleanSupplier slow, Runnable client, boolean configured) {

	/**
	 * Creates a cluster that is added at run time.
	 * @param runtime what there is for the cluster
	 * @return the cluster
	 */
	static NamedCluster added(ClusterRuntime runtime) {
		return new NamedCluster(runtime, () -> true, () -> {
		}, false);
	}

}
