package dev.kubeinformer.spring.cluster;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import dev.kubeinformer.spring.settings.AnnotationValues;

/**
 * Clusters that an annotation selects. Internal to the starter.
 *
 * @param names the names
 * @param all {@code true} to select all named clusters, including those added later
 */
public record ClusterSelection(Set<String> names, boolean all) {

	private static final String ALL = "*";

	/**
	 * Parses the attribute {@code cluster} of an annotation.
	 * @param values the resolver of placeholders and expressions
	 * @param where the annotation and where it is declared, for messages
	 * @param written the value as written
	 * @return the selection; only the default cluster if the attribute is not set
	 */
	public static ClusterSelection read(AnnotationValues values, String where, String[] written) {
		List<String> elements = values.list(where, "cluster", written);
		Set<String> names = new LinkedHashSet<>((elements != null) ? elements : List.of(InformerClusters.DEFAULT));
		boolean all = names.remove(ALL);
		return new ClusterSelection(names, all);
	}

	/**
	 * Returns the selected clusters.
	 * @param where the annotation and where it is declared, for messages
	 * @param clusters all clusters
	 * @return the clusters, the default one first
	 * @throws UnknownClusterException if a named cluster does not exist
	 */
	public List<ClusterRuntime> of(String where, List<ClusterRuntime> clusters) {
		for (String name : this.names) {
			if (clusters.stream().noneMatch((cluster) -> cluster.name().equals(name))) {
				List<String> known = new ArrayList<>(clusters.stream().map(ClusterRuntime::name).toList());
				known.remove(InformerClusters.DEFAULT);
				throw new UnknownClusterException(where, name, known);
			}
		}
		return clusters.stream().filter(this::contains).toList();
	}

	/**
	 * Returns whether a cluster is selected.
	 * @param cluster the cluster
	 * @return {@code true} if the cluster is selected
	 */
	public boolean contains(ClusterRuntime cluster) {
		return this.names.contains(cluster.name()) || (this.all && !cluster.isDefault());
	}

}
