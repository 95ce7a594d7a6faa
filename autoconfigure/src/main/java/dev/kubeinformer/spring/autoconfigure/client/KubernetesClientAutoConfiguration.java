package dev.kubeinformer.spring.autoconfigure.client;

import java.util.Set;

import io.kubernetes.client.openapi.ApiClient;
import org.springframework.beans.factory.ListableBeanFactory;
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
 * Auto-configuration for the official client. The cluster is located only when the client
 * is used, so an application without informers does not need a cluster.
 */
@AutoConfiguration(afterName = { "org.springframework.cloud.kubernetes.client.KubernetesClientAutoConfiguration" })
@ConditionalOnClass(ApiClient.class)
@EnableConfigurationProperties(KubernetesClientProperties.class)
public final class KubernetesClientAutoConfiguration {

	/** Name of the bean and of its factory method. */
	public static final String DEFAULT_CLIENT = "kubernetesApiClient";

	KubernetesClientAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	ClusterLocator kubernetesClusterLocator(KubernetesClientProperties properties,
			ObjectProvider<KubernetesConnectionDetails> details, ObjectProvider<ClusterNames> clusters,
			ListableBeanFactory beanFactory, Environment environment, ObjectProvider<ConnectionGuard> guard) {
		ClusterBeans beans = new ClusterBeans(beanFactory);
		return new ClusterLocator(properties,
				() -> beans.byDefault(KubernetesConnectionDetails.class, names(clusters), details::getIfAvailable),
				environment, guard);
	}

	private static Set<String> names(ObjectProvider<ClusterNames> clusters) {
		ClusterNames names = clusters.getIfAvailable();
		return (names != null) ? names.names() : Set.of();
	}

	// This method is static, because it is also called without a bean of this class:
	// NamedClusterBeansRegistrar registers it if the application has only clients for
	// named clusters.
	@Bean(DEFAULT_CLIENT)
	@Lazy
	@ConditionalOnMissingBean
	static ApiClient kubernetesApiClient(KubernetesClientProperties properties, ClusterLocator locator,
			ObjectProvider<SslBundles> sslBundles, ObjectProvider<ApiClientCustomizer> customizers) {
		return new ClientFactory(sslBundles, customizers).create(null, properties, KubernetesClientProperties.PREFIX,
				locator);
	}

}
