package dev.kubeinformer.spring.autoconfigure;

import io.kubernetes.client.openapi.ApiClient;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.PropertyMapper;
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

	KubernetesClientAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	ClusterLocator kubernetesClusterLocator(KubernetesClientProperties properties, Environment environment) {
		return new ClusterLocator(properties, environment);
	}

	@Bean
	@Lazy
	@ConditionalOnMissingBean
	ApiClient kubernetesApiClient(KubernetesClientProperties properties, ClusterLocator locator) {
		ApiClient client = locator.find().setApiClient(new ManagedApiClient()).build();
		PropertyMapper map = PropertyMapper.get();
		map.from(properties::getUserAgent).whenHasText().to(client::setUserAgent);
		map.from(properties::getConnectTimeout)
			.as((timeout) -> Math.toIntExact(timeout.toMillis()))
			.to(client::setConnectTimeout);
		return client;
	}

}
