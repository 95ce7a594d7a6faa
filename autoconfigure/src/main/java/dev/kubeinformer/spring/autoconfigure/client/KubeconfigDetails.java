package dev.kubeinformer.spring.autoconfigure.client;

import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.kubernetes.client.util.KubeConfig;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/**
 * {@link KubernetesConnectionDetails} out of the current context of a kubeconfig that
 * refers to no other files. No command that it names is run. Internal to the starter.
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
		// KubeConfig.getCredentials() would run the commands and read the files that it
		// names.
		Map<?, ?> user = named(this.config.getUsers(), "user",
				named(this.config.getContexts(), "context", this.config.getCurrentContext()).get("user"));
		return (user.get("token") instanceof String token && !token.isEmpty()) ? token : null;
	}

	@Override
	public String getNamespace() {
		String namespace = this.config.getNamespace();
		return StringUtils.hasText(namespace) ? namespace : "default";
	}

	private static Map<?, ?> named(@Nullable List<Object> entries, String kind, @Nullable Object name) {
		for (Object entry : (entries != null) ? entries : List.of()) {
			if (entry instanceof Map<?, ?> map && Objects.equals(map.get("name"), name)) {
				return (map.get(kind) instanceof Map<?, ?> value) ? value : Map.of();
			}
		}
		return Map.of();
	}

	private static @Nullable String decoded(@Nullable String base64) {
		return (base64 != null) ? new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8) : null;
	}

}
