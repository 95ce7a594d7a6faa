package dev.kubeinformer.spring.autoconfigure.testcontainers;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.testcontainers.k3s.K3sContainer;

import dev.kubeinformer.spring.autoconfigure.client.KubeconfigDetails;
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
	 * {@link KubernetesConnectionDetails} from the kubeconfig of the container's admin.
	 */
	private static final class K3sContainerConnectionDetails extends ContainerConnectionDetails<K3sContainer>
			implements KubernetesConnectionDetails {

		private K3sContainerConnectionDetails(ContainerConnectionSource<K3sContainer> source) {
			super(source);
		}

		@Override
		public String getUrl() {
			return kubeconfig().getUrl();
		}

		@Override
		public @Nullable String getCertificateAuthority() {
			return kubeconfig().getCertificateAuthority();
		}

		@Override
		public @Nullable String getClientCertificate() {
			return kubeconfig().getClientCertificate();
		}

		@Override
		public @Nullable String getClientKey() {
			return kubeconfig().getClientKey();
		}

		@Override
		public @Nullable SslBundle getSslBundle() {
			// Use the annotations of the container, such as @PemTrustStore.
			return super.getSslBundle();
		}

		@Override
		public @Nullable String getToken() {
			return kubeconfig().getToken();
		}

		@Override
		public String getNamespace() {
			return kubeconfig().getNamespace();
		}

		private KubeconfigDetails kubeconfig() {
			return new KubeconfigDetails(getContainer().getKubeConfigYaml());
		}

	}

}
