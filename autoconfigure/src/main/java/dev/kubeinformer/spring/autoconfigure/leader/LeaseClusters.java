package dev.kubeinformer.spring.autoconfigure.leader;

import java.util.Set;
import java.util.function.Supplier;

import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.InformerIds;

/**
 * Configured clusters, one of which has the Leases of the application. Internal to the
 * starter.
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
	 * Returns a cluster that a property names.
	 * @param property the name of the property
	 * @param name the name of the cluster, {@code default} for the default cluster
	 * @return the cluster
	 * @throws InformerConfigurationException if the cluster does not exist
	 */
	default LeaseCluster require(String property, String name) {
		LeaseCluster cluster = find(name);
		if (cluster != null) {
			return cluster;
		}
		Set<String> names = names();
		String similar = InformerIds.similar(name, names);
		throw new InformerConfigurationException(
				"'%s' is '%s', but no cluster of that name is configured".formatted(property, name),
				((similar != null) ? "Did you mean '%s'? ".formatted(similar) : "")
						+ "Correct the name, or configure the cluster below 'kubernetes.clusters.%s'. ".formatted(name)
						+ (names.isEmpty() ? "There are no named clusters; "
								: "The clusters are '%s'; ".formatted(String.join("', '", names)))
						+ "'default' is the cluster of 'kubernetes.client'. A cluster that is added at "
						+ "run time cannot have the Lease.");
	}

	/**
	 * Cluster that may have the Lease.
	 *
	 * @param client the supplier of the client that informers of the cluster use
	 * @param namespace the supplier of the namespace for {@code @current}; throws an
	 * {@link IllegalArgumentException} if there is none
	 */
	record LeaseCluster(Supplier<ApiClient> client, Supplier<String> namespace) {

	}

}
