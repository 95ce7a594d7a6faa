package dev.kubeinformer.spring.cluster;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.InformerIds;

/**
 * Registry of the unique ids of informers, handlers and reconcilers in all clusters.
 * Within a cluster, two ids are equal if they are equal as configuration keys, such as
 * {@code my-pods} and {@code myPods}. Ids of different clusters are compared in full,
 * with the name of the cluster and a dot before the id. Internal to the starter.
 */
public final class IdRegistry {

	/** Ids that the endpoint uses as paths of other contents, such as {@code rbac}. */
	private static final Map<String, String> RESERVED = Map.of("rbac", "the list of RBAC rules", "leader",
			"the election of a leader");

	private final Map<String, String> owners = new HashMap<>();

	private final Map<String, String> clustersOfInformers = new HashMap<>();

	/**
	 * Creates the ids.
	 * @param clusters the clusters, whose informers already have ids
	 * @throws InformerConfigurationException if informers of two clusters have the same
	 * id
	 */
	public IdRegistry(ClusterRuntimes clusters) {
		RESERVED.forEach((id, owner) -> take(InformerClusters.DEFAULT, id, owner));
		for (ClusterRuntime cluster : clusters.all()) {
			for (Informer<?> informer : cluster.informers().all()) {
				informer(cluster.name(), informer.spec().id());
			}
		}
	}

	/**
	 * Reserves an id for an informer. Informers of one cluster may have the same id.
	 * @param cluster the name of the cluster
	 * @param id the id within the cluster
	 * @throws InformerConfigurationException if an informer of another cluster has the
	 * same full id
	 */
	public void informer(String cluster, String id) {
		String full = InformerIds.qualified(cluster, id);
		String other = this.clustersOfInformers.putIfAbsent(full, cluster);
		if (other != null && !other.equals(cluster)) {
			throw new InformerConfigurationException(
					"The id '%s' is used by an informer in cluster '%s' and by one in cluster '%s'".formatted(full,
							other, cluster),
					("Rename the cluster '%s': its name followed by a resource is equal to the name "
							+ "of another resource with its group.")
						.formatted(other.equals(InformerClusters.DEFAULT) ? cluster : other));
		}
		String owner = "the informer '%s'".formatted(full);
		this.owners.put(within(cluster, id), owner);
		this.owners.put(among(cluster, id), owner);
	}

	/**
	 * Reserves an id.
	 * @param cluster the name of the cluster
	 * @param id the id within the cluster
	 * @param owner the new owner, for messages
	 * @return the existing owner; {@code null} if the id was free
	 */
	public @Nullable String take(String cluster, String id, String owner) {
		String within = this.owners.putIfAbsent(within(cluster, id), owner);
		String among = this.owners.putIfAbsent(among(cluster, id), owner);
		return (within != null) ? within : among;
	}

	private static String within(String cluster, String id) {
		return cluster + "/" + InformerIds.canonical(id);
	}

	private static String among(String cluster, String id) {
		return InformerIds.qualified(cluster, id).replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
	}

}
