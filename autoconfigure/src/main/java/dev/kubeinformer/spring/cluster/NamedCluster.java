package dev.kubeinformer.spring.cluster;

import java.util.function.BooleanSupplier;

/**
 * Named cluster with the steps of its start. Internal to the starter.
 *
 * @param runtime the runtime of the cluster
 * @param slow the check of the configuration. It returns {@code true} if obtaining the
 * client may be slow, and throws an exception if the configuration is wrong
 * @param client the step that obtains the client, which may be slow
 * @param configured {@code true} if the cluster is configured and therefore cannot be
 * removed
 */
public record NamedCluster(ClusterRuntime runtime, BooleanSupplier slow, Runnable client, boolean configured) {

	/**
	 * Creates a cluster that is added at run time.
	 * @param runtime the runtime of the cluster
	 * @return the cluster
	 */
	static NamedCluster added(ClusterRuntime runtime) {
		return new NamedCluster(runtime, () -> true, () -> {
		}, false);
	}

}
