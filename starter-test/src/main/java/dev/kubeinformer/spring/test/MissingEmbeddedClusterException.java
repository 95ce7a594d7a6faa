package dev.kubeinformer.spring.test;

/**
 * Thrown when an application asks for the client of a named cluster that has no embedded
 * API in the test, so that it would use a real one.
 */
public class MissingEmbeddedClusterException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	MissingEmbeddedClusterException(String cluster) {
		super(("Cluster '%s' of the application has no embedded API in this test, and its client would use a real "
				+ "one. Name it: @EmbeddedKubernetesTest(clusters = \"%s\"). If the test needs none, leave "
				+ "'kubernetes.clusters.%s' out of its configuration.")
			.formatted(cluster, cluster, cluster));
	}

}
