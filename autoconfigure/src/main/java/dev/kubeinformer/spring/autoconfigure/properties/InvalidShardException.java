package dev.kubeinformer.spring.autoconfigure.properties;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when the configuration shares objects among replicas and does not say which of
 * them are those of this one.
 */
public class InvalidShardException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	static final String KEY = "Set it to 'uid' for even shares, or to 'namespace' to keep what is in one namespace "
			+ "together. It has no default.";

	static final String TOTAL = "Set it to the number of replicas that share the objects, the same for all of them.";

	InvalidShardException(String message, String action) {
		super(message, action);
	}

	static String indexAction(int total) {
		return indexAction("from 0 to %d".formatted(total - 1));
	}

	static String indexAction(String range) {
		return ("Set it to the index of this replica, %s, another one for each. In a StatefulSet it is the "
				+ "label 'apps.kubernetes.io/pod-index' of the pod: hand it over as the environment variable "
				+ "KUBERNETES_INFORMERS_SHARD_INDEX by the downward API, with the fieldPath "
				+ "metadata.labels['apps.kubernetes.io/pod-index'].")
			.formatted(range);
	}

}
