package dev.kubeinformer.spring.cluster;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.InformerIds;

/**
 * Ids of informers, handlers and reconcilers of all clusters, each of which names one
 * thing. Within a cluster they are compared as the keys of the configuration are; among
 * clusters, with the names of these, dots count. Internal to the starter.
 */
public final class IdRegistry {

	/** Taken by other things that can be asked for as if by id. */
	private static final Map<String, String> RESERVED = Map.of("rbac", "the list of RBAC rules", "leader",
			"the election of a leader");

	private final Map<String, String> owners = new HashMap<>();

	private final Map<String, String> clustersOfInformers = new HashMap<>();

	/**
	 * Creates the ids.
	 * @param clusters the clusters, whose informers have theirs already
	 * @throws InformerConfigurationException if informers of two clusters have one id
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
	 * Takes an id for an informer. Several specs may have one.
	 * @param cluster the name of the cluster
	 * @param id the id within the cluster
	 * @throws InformerConfigurationException if an informer of another cluster has it
	 */
	public void informer(String cluster, String id) {
		String full = InformerIds.qualified(cluster, id);
		String other = this.clustersOfInformers.putIfAbsent(full, cluster);
		if (other != null && !other.equals(cluster)) {
			throw new InformerConfigurationException(
					"The id '%s' is that of an informer in cluster '%s' and of one in cluster '%s'".formatted(full,
							other, cluster),
					"Rename the cluster '%s': its name and a resource make the name of another resource with its group."
						.formatted(other.equals(InformerClusters.DEFAULT) ? cluster : other));
		}
		String owner = "the informer '%s'".formatted(full);
		this.owners.put(within(cluster, id), owner);
		this.owners.put(among(cluster, id), owner);
	}

	/**
	 * Takes an id.
	 * @param cluster the name of the cluster
	 * @param id the id within the cluster
	 * @param owner who takes it, for messages
	 * @return who has it already; {@code null} if nobody has
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
