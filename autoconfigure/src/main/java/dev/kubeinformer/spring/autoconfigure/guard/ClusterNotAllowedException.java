package dev.kubeinformer.spring.autoconfigure.guard;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when informers of a test would connect to a cluster that the test has not
 * allowed.
 */
final class ClusterNotAllowedException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	ClusterNotAllowedException(String url) {
		super("The informers of this test would connect to '%s', which may be a real cluster: no embedded API "
			.formatted(url) + "is known or responds there, and it is neither a service connection nor the property "
				+ "'kubernetes.client.url' of the test.",
				"Annotate the test with @EmbeddedKubernetesTest (kubernetes-informer-spring-boot-starter-test) or "
						+ "give it a @ServiceConnection, such as to a K3sContainer. If this cluster is meant, set "
						+ "'kubernetes.client.url' to its address or 'kubernetes.client.allow-in-tests=true'. If none "
						+ "is needed, set 'kubernetes.informers.enabled=false'.");
	}

	/**
	 * Returns the text for stack traces. It includes the action, because test frameworks
	 * do not print failure analyses.
	 */
	@Override
	public String toString() {
		return super.toString() + " " + getAction();
	}

}
