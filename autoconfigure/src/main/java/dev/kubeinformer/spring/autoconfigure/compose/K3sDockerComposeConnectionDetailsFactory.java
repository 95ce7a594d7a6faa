package dev.kubeinformer.spring.autoconfigure.compose;

import java.nio.file.Path;
import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.docker.compose.core.DockerComposeFile;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionDetailsFactory;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.util.StringUtils;

import dev.kubeinformer.spring.autoconfigure.client.KubeconfigDetails;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesConnectionDetails;
import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * {@link DockerComposeConnectionDetailsFactory} to create
 * {@link KubernetesConnectionDetails} for a {@code rancher/k3s} service. K3s writes a
 * kubeconfig; a label of the service contains its path on this machine.
 */
class K3sDockerComposeConnectionDetailsFactory
		extends DockerComposeConnectionDetailsFactory<KubernetesConnectionDetails> {

	/** Label of the service: a path relative to the directory of the compose file. */
	static final String LABEL = "dev.kubeinformer.kubeconfig";

	private static final int PORT = 6443;

	private final Duration patience;

	K3sDockerComposeConnectionDetailsFactory() {
		this(Duration.ofSeconds(60));
	}

	/**
	 * Creates a factory.
	 * @param patience the time limit until K3s accepts the kubeconfig that it has written
	 */
	K3sDockerComposeConnectionDetailsFactory(Duration patience) {
		super("rancher/k3s");
		this.patience = patience;
	}

	@Override
	protected @Nullable KubernetesConnectionDetails getDockerComposeConnectionDetails(
			DockerComposeConnectionSource source) {
		return details(source.getRunningService());
	}

	private KubernetesConnectionDetails details(RunningService service) {
		String label = service.labels().get(LABEL);
		if (!StringUtils.hasText(label)) {
			// Without details the application would use any cluster in the developer's
			// kubeconfig.
			throw new InformerConfigurationException(
					"The service '%s' of Docker Compose has no label '%s' with the path of the kubeconfig that K3s writes"
						.formatted(service.name(), LABEL),
					("Have K3s write it into a folder that is mounted (K3S_KUBECONFIG_OUTPUT=/output/kubeconfig.yaml, volume "
							+ "./target/k3s:/output), map port 6443, and add the label '%s: ./target/k3s/kubeconfig.yaml', relative "
							+ "to the compose file. If the application is not to connect to this service, as to an agent of K3s, "
							+ "add the label 'org.springframework.boot.ignore: true'.")
						.formatted(LABEL));
		}
		String url = "https://%s:%d".formatted(service.host(), service.ports().get(PORT));
		KubeconfigDetails kubeconfig = new WrittenKubeconfig(service.name(), file(service, label.strip()), url)
			.await(this.patience);
		return new K3sConnectionDetails(service, url, kubeconfig);
	}

	private static Path file(RunningService service, String label) {
		DockerComposeFile composeFile = service.composeFile();
		return (composeFile != null) ? composeFile.getFiles().get(0).toPath().toAbsolutePath().resolveSibling(label)
				: Path.of(label);
	}

	/**
	 * {@link KubernetesConnectionDetails} from the admin kubeconfig that the K3s service
	 * has written.
	 */
	private static final class K3sConnectionDetails extends DockerComposeConnectionDetails
			implements KubernetesConnectionDetails {

		private final String url;

		private final KubeconfigDetails kubeconfig;

		private final @Nullable SslBundle sslBundle;

		private K3sConnectionDetails(RunningService service, String url, KubeconfigDetails kubeconfig) {
			super(service);
			this.url = url;
			this.kubeconfig = kubeconfig;
			this.sslBundle = getSslBundle(service);
		}

		@Override
		public String getUrl() {
			return this.url;
		}

		@Override
		public @Nullable String getCertificateAuthority() {
			return this.kubeconfig.getCertificateAuthority();
		}

		@Override
		public @Nullable String getClientCertificate() {
			return this.kubeconfig.getClientCertificate();
		}

		@Override
		public @Nullable String getClientKey() {
			return this.kubeconfig.getClientKey();
		}

		@Override
		public @Nullable SslBundle getSslBundle() {
			return this.sslBundle;
		}

		@Override
		public @Nullable String getToken() {
			return this.kubeconfig.getToken();
		}

		@Override
		public String getNamespace() {
			return this.kubeconfig.getNamespace();
		}

	}

}
