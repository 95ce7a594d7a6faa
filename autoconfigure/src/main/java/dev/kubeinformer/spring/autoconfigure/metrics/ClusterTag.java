package dev.kubeinformer.spring.autoconfigure.metrics;

import io.micrometer.core.instrument.Tags;

/**
 * Whether meters have the tag {@code cluster}. All meters of a name must have the same
 * tags, so that it is one answer for all clusters.
 */
enum ClusterTag {

	/** There is one cluster, whose name says nothing. */
	ABSENT,

	/** There are several clusters, or were. */
	PRESENT;

	static ClusterTag of(boolean multiple) {
		return multiple ? PRESENT : ABSENT;
	}

	/**
	 * Returns the tags for what is in a cluster.
	 * @param cluster the name of the cluster
	 * @return the tags, which may be none
	 */
	Tags of(String cluster) {
		return (this == PRESENT) ? Tags.of("cluster", cluster) : Tags.empty();
	}

}
