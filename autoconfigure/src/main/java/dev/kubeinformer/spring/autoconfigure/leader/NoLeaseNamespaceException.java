package dev.kubeinformer.spring.autoconfigure.leader;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when a leader is to be elected and nothing names the namespace of its Lease.
 */
public class NoLeaseNamespaceException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	NoLeaseNamespaceException(IllegalArgumentException cause) {
		super(("The Lease of the leader has no namespace: 'kubernetes.leader.lease.namespace' is '%s', the default, "
				+ "and there is neither a kubeconfig nor a service account that would name it")
			.formatted(LeaseSettings.CURRENT),
				"Set 'kubernetes.leader.lease.namespace' to the namespace that the application runs in.", cause);
	}

}
