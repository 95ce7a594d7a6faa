package dev.kubeinformer.spring.autoconfigure.client;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.credentials.AccessTokenAuthentication;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of the official client. Nothing is resolved before the client is
 * used, so that an application without informers needs no cluster.
 */
@AutoConfiguration(afterName = { "org.springframework.cloud.kubernetes.client.KubernetesClientAutoConfiguration" })
@ConditionalOnClass(ApiClient.class)
@EnableConfigurationProperties(KubernetesClientProperties.class)
public final class KubernetesClientAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(KubernetesClientAutoConfiguration.class);

	KubernetesClientAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	ClusterLocator kubernetesClusterLocator(KubernetesClientProperties properties,
			ObjectProvider<KubernetesConnectionDetails> details, Environment environment,
			ObjectProvider<ConnectionGuard> guard) {
		return new ClusterLocator(properties, details, environment, guard);
	}

	@Bean
	@Lazy
	@ConditionalOnMissingBean
	ApiClient kubernetesApiClient(KubernetesClientProperties properties, ClusterLocator locator,
			ObjectProvider<SslBundles> sslBundles, ObjectProvider<ApiClientCustomizer> customizers) {
		ClientValues values = new ClientValues(properties);
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
			new ClientBundle(sslBundle, sslBundles).apply(client);
		}
		customizers.orderedStream().forEach((customizer) -> customizer.customize(client));
		logger.info("Kubernetes API at {} ({})", ServerUrl.withoutSecrets(client.getBasePath()), cluster.origin());
		ClientSecurity.check(client);
		return client;
	}

}
