package dev.kubeinformer.spring.autoconfigure.client;

import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

import io.kubernetes.client.util.KubeConfig;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/**
 * {@link KubernetesConnectionDetails} out of the current context of a kubeconfig that
 * refers to no other files. Internal to the starter.
 */
public final class KubeconfigDetails implements KubernetesConnectionDetails {

	private final KubeConfig config;

	/**
	 * Reads a kubeconfig.
	 * @param yaml its text
	 * @throws RuntimeException if it is none; the message may quote it
	 */
	public KubeconfigDetails(String yaml) {
		this.config = KubeConfig.loadKubeConfig(new StringReader(yaml));
	}

	@Override
	public String getUrl() {
		return this.config.getServer();
	}

	@Override
	public @Nullable String getCertificateAuthority() {
		return decoded(this.config.getCertificateAuthorityData());
	}

	@Override
	public @Nullable String getClientCertificate() {
		return decoded(this.config.getClientCertificateData());
	}

	@Override
	public @Nullable String getClientKey() {
		return decoded(this.config.getClientKeyData());
	}

	@Override
	public @Nullable String getToken() {
		Map<String, String> credentials = this.config.getCredentials();
		return (credentials != null) ? credentials.get(KubeConfig.CRED_TOKEN_KEY) : null;
	}

	@Override
	public String getNamespace() {
		String namespace = this.config.getNamespace();
		return StringUtils.hasText(namespace) ? namespace : "default";
	}

	private static @Nullable String decoded(@Nullable String base64) {
		return (base64 != null) ? new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8) : null;
	}

}
