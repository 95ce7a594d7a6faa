package dev.kubeinformer.spring.docs;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.kubeinformer.EventHandler;
import dev.kubeinformer.HandlerOptions;
import dev.kubeinformer.Informers;

/**
 * Informers of an application's own, as on the page about clusters.
 */
@Configuration(proxyBeanMethods = false)
class OwnInformersConfiguration {

	@Bean(defaultCandidate = false)
	ApiClient ownClient(OwnClusterProperties cluster) {
		return cluster.client();
	}

	@Bean(defaultCandidate = false, initMethod = "start", destroyMethod = "stop")
	Informers ownInformers(@Qualifier("ownClient") ApiClient client, EventHandler<V1Pod> ownPods) {
		Informers informers = Informers.builder(client).build();
		informers.informer(V1Pod.class).addHandler(ownPods, HandlerOptions.defaults().withId("ownPods"));
		return informers;
	}

}
