package dev.kubeinformer.types;

/**
 * Name of a cluster, which is part of ids, thread names and log messages where an
 * application may have several.
 *
 * @param value the name
 */
public record ClusterName(String value) {

	/** Name of the cluster of informers that were given no other. */
	public static final String DEFAULT = "default";

	/**
	 * Returns an id that is unique among all clusters.
	 * @param id the id within the cluster
	 * @return the id, with the name and a dot before it unless this is the default
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
