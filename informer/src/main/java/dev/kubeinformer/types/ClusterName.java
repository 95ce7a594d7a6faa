package dev.kubeinformer.types;

/**
 * Name by which an application distinguishes its clusters. If the application has several
 * clusters, the name is part of ids, thread names and log messages.
 *
 * @param value the name
 */
public record ClusterName(String value) {

	/** Name of the default cluster. */
	public static final String DEFAULT = "default";

	/**
	 * Returns an id that is unique among all clusters.
	 * @param id the id within the cluster
	 * @return the name of the cluster, a dot and the id; only the id for the default
	 * cluster
	 */
	public String qualify(String id) {
		return this.value.equals(DEFAULT) ? id : this.value + "." + id;
	}

	@Override
	public String toString() {
		return this.value;
	}

}
