package dev.kubeinformer.types;

/**
 * Name of a cluster. It is part of ids, thread names and log messages if an application
 * has several clusters.
 *
 * @param value the name
 */
public record ClusterName(String value) {

	/** Name of the default cluster. */
	public static final String DEFAULT = "default";

	/**
	 * Returns an id that is unique among all clusters.
	 * @param id the id within the cluster
	 * @return the id, prefixed with the name and a dot unless this is the default cluster
	 */
	public String qualify(String id) {
		return this.value.equals(DEFAULT) ? id : this.value + "." + id;
	}

	@Override
	public String toString() {
		return this.value;
	}

}
