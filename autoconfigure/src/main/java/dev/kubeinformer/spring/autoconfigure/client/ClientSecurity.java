package dev.kubeinformer.spring.autoconfigure.client;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.auth.ApiKeyAuth;
import io.kubernetes.client.util.credentials.RefreshAuthentication;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.client.ClientCredential;
import dev.kubeinformer.client.ManagedApiClient;

/**
 * Warns if a third party can obtain the credentials of a client. This is the case if the
 * connection is not encrypted, except to a server on this machine, or if the client does
 * not verify the server's certificate.
 */
final class ClientSecurity {

	private static final Logger logger = LoggerFactory.getLogger(ClientSecurity.class);

	private ClientSecurity() {
	}

	/**
	 * Returns the name of a cluster's API in messages.
	 * @param cluster the name of the cluster; {@code null} for the default cluster
	 * @return the name
	 */
	static String api(@Nullable String cluster) {
		return (cluster != null) ? "Kubernetes API of cluster '%s'".formatted(cluster) : "Kubernetes API";
	}

	/**
	 * Warns if a third party can obtain the credentials of a client.
	 * @param client the client
	 * @param api the name of its API
	 * @param prefix the prefix of its properties
	 */
	static void check(ApiClient client, String api, String prefix) {
		HttpUrl url = HttpUrl.parse(client.getBasePath());
		if (url == null) {
			return;
		}
		String shown = ServerUrl.withoutSecrets(client.getBasePath());
		if (!url.isHttps() && hasCredentials(client) && !isLoopback(url.host())) {
			logger.warn("The credentials for the {} are sent to {} without encryption, so every system in "
					+ "between can read and use them; use https://", api, shown);
		}
		if (url.isHttps() && !verifies(client)) {
			logger.warn("The certificate of the {} at {} is not verified (insecure-skip-tls-verify), so any "
					+ "server at that address receives the credentials; set 'certificate-authority' in the "
					+ "kubeconfig, or '{}.ca' or '{}.ssl.bundle'", api, shown, prefix, prefix);
		}
	}

	private static boolean hasCredentials(ApiClient client) {
		if (client instanceof ManagedApiClient managed) {
			ClientCredential credential = managed.credential();
			if (credential != null && credential.inHeader()) {
				return true;
			}
		}
		// A customizer may have added these credentials.
		boolean key = client.getAuthentication("BearerToken") instanceof ApiKeyAuth auth && auth.getApiKey() != null;
		return key || client.getHttpClient()
			.interceptors()
			.stream()
			.anyMatch((interceptor) -> interceptor instanceof RefreshAuthentication);
	}

	private static boolean verifies(ApiClient client) {
		// An SSL bundle with a trust store enables the verification again.
		return client.isVerifyingSsl()
				|| client.getHttpClient().hostnameVerifier().equals(new OkHttpClient().hostnameVerifier());
	}

	private static boolean isLoopback(String host) {
		// Do not resolve a name: a start must not wait for DNS.
		return host.equals("localhost") || host.endsWith(".localhost") || host.equals("::1")
				|| host.matches("127(\\.\\d{1,3}){3}");
	}

}
