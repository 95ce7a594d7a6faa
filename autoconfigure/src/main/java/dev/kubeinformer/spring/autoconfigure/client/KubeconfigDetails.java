package dev.kubeinformer.spring.autoconfigure.client;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.client.KubeconfigValues;

/**
 * {@link KubernetesConnectionDetails} from the current context of a kubeconfig without references to files. Commands in the kubeconfig are not run. Internal to the starter.
 */
public final class KubeconfigDetails implements KubernetesConnectionDetails {

	private final KubeconfigValues values;

	/**
	 * Parses a kubeconfig.
	 * @param yaml its text
	 * @throws dev.kubeinformer.types.ClientConfigurationException if the text is not a kubeconfig; the message does not quote it
	 */
	public KubeconfigDetails(String yaml) {
		this.values = KubeconfigValues.of(yaml, "The kubeconfig of the service");
	}

	@Override
	public String getUrl() {
		return this.values.url();
	}

	@Override
	public @Nullable String getCertificateAuthority() {
		return this.values.certificateAuthority();
	}

	@Override
	public @Nullable String getClientCertificate() {
		return this.values.clientCertificate();
	}

	@Override
	public @Nullable String getClientKey() {
		return this.values.clientKey();
	}

	@Override
	public @Nullable String getToken() {
		return this.values.token();
	}

	@Override
	public String getNamespace() {
		return (this.values.namespace() != null) ? this.values.namespace() : "default";
	}

}
