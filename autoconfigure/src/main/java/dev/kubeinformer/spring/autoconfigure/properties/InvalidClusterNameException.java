package dev.kubeinformer.spring.autoconfigure.properties;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when the configuration gives a cluster a name that it cannot have.
 */
public class InvalidClusterNameException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	InvalidClusterNameException(String name, String place) {
		super("%s names a cluster '%s', which is no name of a cluster".formatted(place, name),
				"Use lower-case letters, digits and '-' for the key below 'kubernetes.clusters', and no dots: "
						+ "ids are made of it, such as 'edge.pods'. Environment variables leave '-' out, as in "
						+ "KUBERNETES_CLUSTERS_PRODEU_URL for 'prod-eu'.");
	}

	private InvalidClusterNameException(String message) {
		super(message, "Give the cluster another name. What is said about the default cluster is below "
				+ "'kubernetes.client' and 'kubernetes.informers'.");
	}

	static InvalidClusterNameException reserved(String key) {
		return new InvalidClusterNameException(
				"The configuration has 'kubernetes.clusters.%s', but that is the name of the cluster of 'kubernetes.client'"
					.formatted(key));
	}

}
