package dev.kubeinformer.spring.autoconfigure.compose;

import java.time.Duration;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when K3s in Docker Compose does not write a kubeconfig that it serves.
 */
class KubeconfigNotWrittenException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	KubeconfigNotWrittenException(WrittenKubeconfig kubeconfig, String problem, Duration patience) {
		super("The kubeconfig '%s' of the service '%s' of Docker Compose, at %s, cannot be used after %d s: %s"
			.formatted(kubeconfig.file(), kubeconfig.service(), kubeconfig.url(), patience.toSeconds(), problem),
				("Have K3s write it there: K3S_KUBECONFIG_OUTPUT in a folder that is mounted, K3S_KUBECONFIG_MODE so that "
						+ "this user may read it, port 6443 mapped, and the path on this machine in the label '%s'.")
					.formatted(K3sDockerComposeConnectionDetailsFactory.LABEL));
	}

}
