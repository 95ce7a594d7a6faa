package dev.kubeinformer.spring.autoconfigure.metrics;

import io.micrometer.core.instrument.Tags;

/**
 * Presence of the tag {@code cluster}. It is the same for all clusters, because all meters of a name must have the same tags.
 */
enum ClusterTag {

	/** There is only one cluster, so its name is not needed. */
	ABSENT,

	/** There are, or were, several clusters. */
	PRESENT;

	static ClusterTag of(boolean multiple) {
		return multiple ? PRESENT : ABSENT;
	}

	/**
	 * Returns the tags for components of a cluster.
	 * @param cluster the name of the cluster
	 * @return the tags; may be empty
	 */
	Tags of(String cluster) {
		return (this == PRESENT) ? Tags.of("cluster", cluster) : Tags.empty();
	}

}
