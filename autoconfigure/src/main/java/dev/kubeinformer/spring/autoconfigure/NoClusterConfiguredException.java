package dev.kubeinformer.spring.autoconfigure;

import java.util.List;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when a cluster is needed and nothing tells which.
 */
public class NoClusterConfiguredException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	NoClusterConfiguredException(List<String> searched) {
		super("No Kubernetes cluster is configured. Looked for: " + String.join(", ", searched),
				"Set 'kubernetes.client.url' or 'kubernetes.client.kubeconfig', or define an ApiClient bean. "
						+ "To start without a cluster, set 'kubernetes.informers.enabled=false' "
						+ "or 'kubernetes.informers.auto-startup=false'.");
	}

}
