package dev.kubeinformer.spring.cluster;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import dev.kubeinformer.spring.settings.AnnotationValues;

/**
 * Clusters that an annotation names. Internal to the starter.
 *
 * @param names the names
 * @param all whether those that have a name are meant as well, also those that are added
 */
public record ClusterSelection(Set<String> names, boolean all) {

	private static final String ALL = "*";

	/**
	 * Reads an attribute {@code cluster}.
	 * @param values resolves placeholders and expressions
	 * @param where the annotation and its place, for messages
	 * @param written the value as written
	 * @return the selection; of the default cluster alone if nothing is written
	 */
	public static ClusterSelection read(AnnotationValues values, String where, String[] written) {
		List<String> elements = values.list(where, "cluster", written);
		Set<String> names = new LinkedHashSet<>((elements != null) ? elements : List.of(InformerClusters.DEFAULT));
		boolean all = names.remove(ALL);
		return new ClusterSelection(names, all);
	}

	/**
	 * Returns the selected ones of all clusters.
	 * @param where the annotation and its place, for messages
	 * @param clusters all clusters
	 * @return the clusters, the default one first
	 * @throws UnknownClusterException if one that is named does not exist
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
	 * @return whether it is
	 */
	public boolean contains(ClusterRuntime cluster) {
		return this.names.contains(cluster.name()) || (this.all && !cluster.isDefault());
	}

}
