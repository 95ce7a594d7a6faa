package dev.kubeinformer.spring.autoconfigure.client;

import io.kubernetes.client.openapi.ApiClient;
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
		String sslBundle = values.sslBundle();
		String ca = values.ca();
		Cluster cluster = locator.find();
		// What is about another cluster is not even looked at.
		boolean ours = !cluster.isSelfContained();
		ApiClient client = cluster.client(ours ? values.authentication() : null);
		// kube-apiserver sends no redirects, and one may lead a token to any host.
		client.setHttpClient(
				client.getHttpClient().newBuilder().followRedirects(false).followSslRedirects(false).build());
		client.setConnectTimeout(Math.toIntExact(properties.getConnectTimeout().toMillis()));
		if (userAgent != null) {
			client.setUserAgent(userAgent);
		}
		StringBuilder origin = new StringBuilder(cluster.origin());
		if (ours) {
			if (sslBundle != null) {
				new ClientBundle(sslBundle, this.sslBundles, prefix).apply(client);
			}
			if (ca != null) {
				new ClientAuthority(ca, prefix + ".ca").apply(client);
			}
			ClientProxy own = values.proxy();
			ClientProxy proxy = (own != null) ? own : cluster.proxy();
			if (proxy != null) {
				proxy.apply(client);
				origin.append(", by the proxy ").append(proxy);
			}
			Impersonation impersonation = values.impersonation().isEmpty() ? cluster.impersonation()
					: values.impersonation();
			if (!impersonation.isEmpty()) {
				impersonation.apply(client);
				origin.append(", as user '").append(impersonation.user()).append("'");
			}
		}
		this.customizers.orderedStream().forEach((customizer) -> customizer.customize(client));
		String api = ClientSecurity.api(name);
		logger.info("{} at {} ({})", api, ServerUrl.withoutSecrets(client.getBasePath()), origin);
		ClientSecurity.check(client, api, prefix);
		return client;
	}

}
