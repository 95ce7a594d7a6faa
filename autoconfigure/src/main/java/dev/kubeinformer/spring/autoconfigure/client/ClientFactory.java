package dev.kubeinformer.spring.autoconfigure.client;

import java.net.Proxy;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.SslBundles;

import dev.kubeinformer.client.ClientDescription;
import dev.kubeinformer.client.ManagedApiClient;

/**
 * Creates clients from properties.
 *
 * @param sslBundles the SSL bundles
 * @param customizers the customizers of clients
 */
record ClientFactory(ObjectProvider<SslBundles> sslBundles, ObjectProvider<ApiClientCustomizer> customizers) {

	private static final Logger logger = LoggerFactory.getLogger(ClientFactory.class);

	/**
	 * Creates a client.
	 * @param name the name of the cluster; {@code null} for the default cluster
	 * @param properties the properties
	 * @param prefix the prefix of the properties
	 * @param locator the locator, which finds the configuration of the connection
	 * @return the client, which is not connected
	 */
	ManagedApiClient create(@Nullable String name, KubernetesClientProperties properties, String prefix,
			ClusterLocator locator) {
		ClientValues values = new ClientValues(properties, prefix);
		Cluster cluster = locator.find();
		ManagedApiClient.Builder builder = cluster.builder()
			.userAgent(values.userAgent())
			.connectTimeout(properties.connectTimeout());
		// Properties do not apply to connection details, which describe their own cluster
		// completely.
		boolean ours = !cluster.isSelfContained();
		if (ours) {
			values.apply(builder, locator.environment());
		}
		ClientBundle bundle = ours ? values.sslBundle(this.sslBundles) : null;
		ClientTls tls = (bundle != null) ? bundle.apply(builder) : null;
		// Obtain the customizers before a plugin runs, because the application context
		// may be closed when the plugin ends.
		List<ApiClientCustomizer> customizers = this.customizers.orderedStream().toList();
		if (!customizers.isEmpty()) {
			builder.authenticatedLater();
		}
		ManagedApiClient client = cluster.client();
		try {
			if (bundle != null && tls != null) {
				bundle.applyOptions(tls, client);
			}
			Proxy proxy = client.getHttpClient().proxy();
			customizers.forEach((customizer) -> customizer.customize(client));
			String api = ClientSecurity.api(name);
			logger.info("{} at {} ({})", api, ServerUrl.withoutSecrets(client.getBasePath()),
					origin(client.description(), client.getHttpClient().proxy() == proxy));
			ClientSecurity.check(client, api, prefix);
			if (bundle != null && tls != null) {
				bundle.follow(tls, client);
			}
			return client;
		}
		catch (RuntimeException | Error ex) {
			client.close();
			throw ex;
		}
	}

	private static String origin(ClientDescription description, boolean sameProxy) {
		StringBuilder origin = new StringBuilder(description.origin());
		if (sameProxy && description.proxy() != null) {
			origin.append(", by the proxy ").append(description.proxy());
		}
		if (description.impersonatedUser() != null) {
			origin.append(", as user '").append(description.impersonatedUser()).append("'");
		}
		return origin.toString();
	}

}
