package dev.kubeinformer.spring.autoconfigure.client;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.auth.ApiKeyAuth;
import io.kubernetes.client.util.credentials.RefreshAuthentication;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for what makes a connection readable for others. A server on this machine is
 * reached over no network.
 */
final class ClientSecurity {

	private static final Logger logger = LoggerFactory.getLogger(ClientSecurity.class);

	private ClientSecurity() {
	}

	/**
	 * Warns of a client whose credentials others may read.
	 * @param client the client
	 */
	static void check(ApiClient client) {
		HttpUrl url = HttpUrl.parse(client.getBasePath());
		if (url == null) {
			return;
		}
		String shown = ServerUrl.withoutSecrets(client.getBasePath());
		if (!url.isHttps() && hasCredentials(client) && !isLoopback(url.host())) {
			logger.warn("The credentials for the Kubernetes API are sent to {} without encryption: "
					+ "every system between can read and use them. Use https://", shown);
		}
		if (url.isHttps() && !verifies(client)) {
			logger.warn("The certificate of the Kubernetes API at {} is not verified (insecure-skip-tls-verify): "
					+ "any server at that address gets the credentials. Set 'certificate-authority' in the kubeconfig, "
					+ "or 'kubernetes.client.ssl.bundle'", shown);
		}
	}

	private static boolean hasCredentials(ApiClient client) {
		boolean key = client.getAuthentication("BearerToken") instanceof ApiKeyAuth auth && auth.getApiKey() != null;
		return key || client.getHttpClient()
			.interceptors()
			.stream()
			.anyMatch((interceptor) -> interceptor instanceof RefreshAuthentication);
	}

	private static boolean verifies(ApiClient client) {
		// An SSL bundle with a trust store brings the verification back.
		return client.isVerifyingSsl()
				|| client.getHttpClient().hostnameVerifier().equals(new OkHttpClient().hostnameVerifier());
	}

	private static boolean isLoopback(String host) {
		// A name is not looked up: a start must not wait for DNS.
		return host.equals("localhost") || host.endsWith(".localhost") || host.equals("::1")
				|| host.matches("127(\\.\\d{1,3}){3}");
	}

}
