package dev.kubeinformer.spring.autoconfigure.health;

import org.jspecify.annotations.Nullable;

/**
 * The detail that names the cluster, which is there only where there are several.
 *
 * @param cluster the name of the cluster; {@code null} where there is no other
 */
record ClusterDetail(@Nullable String cluster) {

	void addTo(InformerDetails details) {
		details.put("cluster", this.cluster);
	}

}
