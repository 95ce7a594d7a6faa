package dev.kubeinformer.spring.test;

/**
 * Thrown when an application requests the client of a named cluster that has no embedded
 * API in the test. The client would connect to a real cluster.
 */
public class MissingEmbeddedClusterException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	MissingEmbeddedClusterException(String cluster) {
		super(("Cluster '%s' has no embedded API in this test; its client would connect to a real cluster. "
				+ "Add @EmbeddedKubernetesTest(clusters = \"%s\"), or remove 'kubernetes.clusters.%s' from the "
				+ "configuration of the test.")
			.formatted(cluster, cluster, cluster));
	}

}
