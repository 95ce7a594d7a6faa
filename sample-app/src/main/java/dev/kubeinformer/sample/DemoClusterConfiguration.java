package dev.kubeinformer.sample;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Deployment;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

import dev.kubeinformer.client.Clients;
import dev.kubeinformer.samplecontroller.FooReconciler;
import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * Configuration of the embedded API. It does not apply if a real cluster is watched.
 */
@Configuration(proxyBeanMethods = false)
@Profile("!cluster")
class DemoClusterConfiguration {

	@Bean
	EmbeddedKubernetes embeddedKubernetes() {
		EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().garbageCollection(true).start();
		DemoCluster.fill(kubernetes);
		return kubernetes;
	}

	@Bean
	ApiClient embeddedApiClient(EmbeddedKubernetes kubernetes) {
		return Clients.of(kubernetes.url()).build();
	}

	@Bean
	ClusterActivity clusterActivity(EmbeddedKubernetes kubernetes) {
		return new ClusterActivity(kubernetes);
	}

	@Bean
	FooReconciler fooReconciler() {
		// The sample writes to the embedded API only: a real cluster has no reconciler.
		return new FooReconciler();
	}

	@Bean
	FooActivity fooActivity(EmbeddedKubernetes kubernetes) {
		return new FooActivity(DemoCluster.foos(kubernetes));
	}

	@Bean
	DeploymentSimulator deploymentSimulator(EmbeddedKubernetes kubernetes) {
		return new DeploymentSimulator(kubernetes.resources(V1Deployment.class));
	}

}
