package dev.kubeinformer.spring.autoconfigure.leader;

import java.util.Set;
import java.util.function.Supplier;

import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;

/**
 * The configured clusters, of which one has the Lease of the leader. Internal to the
 * starter.
 */
public interface LeaseClusters {

	/**
	 * Finds a cluster.
	 * @param name the name, {@code default} for the one that has none
	 * @return the cluster; {@code null} if there is none of that name
	 */
	@Nullable LeaseCluster find(String name);

	/**
	 * Returns the names.
	 * @return the names of the clusters that have one
	 */
	Set<String> names();

	/**
	 * A cluster.
	 *
	 * @param client gives the client as informers of the cluster find it
	 * @param namespace gives what {@code @current} stands for; it throws an
	 * {@link IllegalArgumentException} where that is nothing
	 */
	record LeaseCluster(Supplier<ApiClient> client, Supplier<String> namespace) {

	}

}
