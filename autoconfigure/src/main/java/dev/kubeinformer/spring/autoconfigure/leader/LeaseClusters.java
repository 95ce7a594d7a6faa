package dev.kubeinformer.spring.autoconfigure.leader;

import java.util.Set;
import java.util.function.Supplier;

import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;

/**
 * Configured clusters, one of which has the Lease of the leader. Internal to the starter.
 */
public interface LeaseClusters {

	/**
	 * Finds a cluster.
	 * @param name the name, {@code default} for the default cluster
	 * @return the cluster; {@code null} if it does not exist
	 */
	@Nullable LeaseCluster find(String name);

	/**
	 * Returns the names.
	 * @return the names of the named clusters
	 */
	Set<String> names();

	/**
	 * Cluster that may have the Lease.
	 *
	 * @param client the supplier of the client that informers of the cluster use
	 * @param namespace the supplier of the namespace for {@code @current}; throws an {@link IllegalArgumentException} if there is none
	 */
	record LeaseCluster(Supplier<ApiClient> client, Supplier<String> namespace) {

	}

}
