package dev.kubeinformer.spring.autoconfigure.testcontainers;

import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

import io.kubernetes.client.util.KubeConfig;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.util.StringUtils;
import org.testcontainers.k3s.K3sContainer;

import dev.kubeinformer.spring.autoconfigure.client.KubernetesConnectionDetails;

/**
 * {@link ContainerConnectionDetailsFactory} to create {@link KubernetesConnectionDetails}
 * from a {@link ServiceConnection @ServiceConnection}-annotated {@link K3sContainer}.
 */
class K3sContainerConnectionDetailsFactory
		extends ContainerConnectionDetailsFactory<K3sContainer, KubernetesConnectionDetails> {

	@Override
	protected KubernetesConnectionDetails getContainerConnectionDetails(
			ContainerConnectionSource<K3sContainer> source) {
		return new K3sContainerConnectionDetails(source);
	}

	/**
	 * {@link KubernetesConnectionDetails} out of the kubeconfig of the container's admin.
	 */
	private static final class K3sContainerConnectionDetails extends ContainerConnectionDetails<K3sContainer>
			implements KubernetesConnectionDetails {

		private K3sContainerConnectionDetails(ContainerConnectionSource<K3sContainer> source) {
			super(source);
		}

		@Override
		public String getUrl() {
			return kubeconfig().getServer();
		}

		@Override
		public @Nullable String getCertificateAuthority() {
			return decoded(kubeconfig().getCertificateAuthorityData());
		}

		@Override
		public @Nullable String getClientCertificate() {
			return decoded(kubeconfig().getClientCertificateData());
		}

		@Override
		public @Nullable String getClientKey() {
			return decoded(kubeconfig().getClientKeyData());
		}

		@Override
		public @Nullable SslBundle getSslBundle() {
			// Of the annotations at the container, such as @PemTrustStore.
			return super.getSslBundle();
		}

		@Override
		public @Nullable String getToken() {
			Map<String, String> credentials = kubeconfig().getCredentials();
			return (credentials != null) ? credentials.get(KubeConfig.CRED_TOKEN_KEY) : null;
		}

		@Override
		public String getNamespace() {
			String namespace = kubeconfig().getNamespace();
			return StringUtils.hasText(namespace) ? namespace : "default";
		}

		private KubeConfig kubeconfig() {
			return KubeConfig.loadKubeConfig(new StringReader(getContainer().getKubeConfigYaml()));
		}

		private static @Nullable String decoded(@Nullable String base64) {
			return (base64 != null) ? new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8) : null;
		}

	}

}
