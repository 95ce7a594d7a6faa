package dev.kubeinformer.sample;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * Configuration of the embedded cluster, unless a real one is watched.
 */
@Configuration(proxyBeanMethods = false)
@Profile("!cluster")
class DemoClusterConfiguration {

	@Bean
	EmbeddedKubernetes embeddedKubernetes() {
		EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();
		DemoCluster.fill(kubernetes);
		return kubernetes;
	}

	@Bean
	ApiClient embeddedApiClient(EmbeddedKubernetes kubernetes) {
		return new ClientBuilder().setBasePath(kubernetes.url()).build();
	}

	@Bean
	ClusterActivity clusterActivity(EmbeddedKubernetes kubernetes) {
		return new ClusterActivity(kubernetes);
	}

}
