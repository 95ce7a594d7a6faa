package dev.kubeinformer.spring.autoconfigure.compose;

import java.time.Duration;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when K3s in Docker Compose does not write a kubeconfig that it serves.
 */
class KubeconfigNotWrittenException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception of a service that does not say where its kubeconfig is.
	 * @param service the name of the service
	 */
	KubeconfigNotWrittenException(String service) {
		super("The service '%s' of Docker Compose has no label '%s' with the path of the kubeconfig that K3s writes"
			.formatted(service, K3sDockerComposeConnectionDetailsFactory.LABEL),
				("Have K3s write it into a folder that is mounted (K3S_KUBECONFIG_OUTPUT=/output/kubeconfig.yaml, volume "
						+ "./target/k3s:/output), map port 6443, and add the label '%s: ./target/k3s/kubeconfig.yaml', relative "
						+ "to the compose file. If the application is not to connect to this service, as to an agent of K3s, "
						+ "add the label 'org.springframework.boot.ignore: true'.")
					.formatted(K3sDockerComposeConnectionDetailsFactory.LABEL));
	}

	KubeconfigNotWrittenException(WrittenKubeconfig kubeconfig, String problem, Duration patience) {
		super("The kubeconfig '%s' of the service '%s' of Docker Compose, at %s, cannot be used after %d s: %s"
			.formatted(kubeconfig.file(), kubeconfig.service(), kubeconfig.url(), patience.toSeconds(), problem),
				("Have K3s write it there: K3S_KUBECONFIG_OUTPUT in a folder that is mounted, K3S_KUBECONFIG_MODE so that "
						+ "this user may read it, port 6443 mapped, and the path on this machine in the label '%s'.")
					.formatted(K3sDockerComposeConnectionDetailsFactory.LABEL));
	}

}
