package dev.kubeinformer.spring.autoconfigure.client;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.credentials.AccessTokenAuthentication;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.SslBundles;

/**
 * Maker of clients of what the properties say.
 */
final class ClientFactory {

	private static final Logger logger = LoggerFactory.getLogger(ClientFactory.class);

	private final ObjectProvider<SslBundles> sslBundles;

	private final ObjectProvider<ApiClientCustomizer> customizers;

	ClientFactory(ObjectProvider<SslBundles> sslBundles, ObjectProvider<ApiClientCustomizer> customizers) {
		this.sslBundles = sslBundles;
		this.customizers = customizers;
	}

	/**
	 * Makes a client.
	 * @param name the name of the cluster; {@code null} for the default one
	 * @param properties the properties
	 * @param prefix the prefix of their names
	 * @param locator finds the cluster
	 * @return the client; not connected yet
	 */
	ApiClient create(@Nullable String name, KubernetesClientProperties properties, String prefix,
			ClusterLocator locator) {
		ClientValues values = new ClientValues(properties, prefix);
		String userAgent = values.userAgent();
		String token = values.token();
		String sslBundle = values.sslBundle();
		Cluster cluster = locator.find();
		ApiClient client = cluster.client((token != null) ? new AccessTokenAuthentication(token) : null);
		client.setConnectTimeout(Math.toIntExact(properties.getConnectTimeout().toMillis()));
		if (userAgent != null) {
			client.setUserAgent(userAgent);
		}
		if (sslBundle != null && !cluster.isSelfContained()) {
			new ClientBundle(sslBundle, this.sslBundles, prefix).apply(client);
		}
		this.customizers.orderedStream().forEach((customizer) -> customizer.customize(client));
		String api = ClientSecurity.api(name);
		logger.info("{} at {} ({})", api, ServerUrl.withoutSecrets(client.getBasePath()), cluster.origin());
		ClientSecurity.check(client, api, prefix);
		return client;
	}

}
