package dev.kubeinformer.spring.autoconfigure.client;

import java.nio.charset.StandardCharsets;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.credentials.AccessTokenAuthentication;
import io.kubernetes.client.util.credentials.Authentication;
import io.kubernetes.client.util.credentials.ClientCertificateAuthentication;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

/**
 * A cluster that {@link KubernetesConnectionDetails} describe.
 *
 * @param details the details
 * @param origin what gave them, for people
 */
record DetailsCluster(KubernetesConnectionDetails details, String origin) implements Cluster {

	@Override
	public String namespace() {
		String namespace = this.details.getNamespace();
		if (namespace == null) {
			throw ClusterLocator.noNamespace();
		}
		return namespace;
	}

	@Override
	public ApiClient client(@Nullable Authentication authentication) {
		ClientBuilder builder = new ClientBuilder().setBasePath(this.details.getUrl())
			.setAuthentication((authentication != null) ? authentication : authentication());
		String authority = this.details.getCertificateAuthority();
		ApiClient client = ManagedApiClient.of(builder, (authority != null) ? bytes(authority) : null, null);
		SslBundle bundle = this.details.getSslBundle();
		if (bundle != null) {
			new ClientTls(client).apply(bundle);
		}
		return client;
	}

	@Override
	public boolean isSelfContained() {
		return !(this.details instanceof PropertiesKubernetesConnectionDetails);
	}

	private @Nullable Authentication authentication() {
		String token = this.details.getToken();
		if (token != null) {
			return new AccessTokenAuthentication(token);
		}
		String certificate = this.details.getClientCertificate();
		String key = this.details.getClientKey();
		return (certificate != null && key != null)
				? new ClientCertificateAuthentication(bytes(certificate), bytes(key)) : null;
	}

	private static byte[] bytes(String pem) {
		return pem.getBytes(StandardCharsets.UTF_8);
	}

}
