package dev.kubeinformer.spring.autoconfigure.leader;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when a leader is to be elected and its Lease has no name, or one that the API
 * server would refuse.
 */
public final class InvalidLeaseNameException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	private InvalidLeaseNameException(String message, String action) {
		super(message, action);
	}

	static InvalidLeaseNameException missing() {
		return new InvalidLeaseNameException(
				"A leader is to be elected ('kubernetes.leader.enabled=true'), and nothing names the Lease",
				"Set 'spring.application.name', which names the Lease by default, or 'kubernetes.leader.lease.name'. "
						+ "It is the same for all replicas of the application, and for no other application of the namespace.");
	}

	static InvalidLeaseNameException wrong(String name, String origin) {
		return new InvalidLeaseNameException(
				"The Lease of the leader cannot have the name '%s' (from %s): the API server would refuse it"
					.formatted(name, origin.endsWith(",") ? origin.substring(0, origin.length() - 1) : origin),
				"Set 'kubernetes.leader.lease.name' to a DNS-1123 name: at most 253 lower-case letters, digits, '-' "
						+ "and '.', beginning and ending with a letter or digit.");
	}

}
