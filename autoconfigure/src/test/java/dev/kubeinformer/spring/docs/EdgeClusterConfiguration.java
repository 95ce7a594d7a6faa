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
 * A second cluster, as on the page.
 */
@Configuration(proxyBeanMethods = false)
class EdgeClusterConfiguration {

	@Bean(defaultCandidate = false)
	ApiClient edgeClient(EdgeProperties edge) {
		return edge.client();
	}

	@Bean(defaultCandidate = false, initMethod = "start", destroyMethod = "stop")
	Informers edgeInformers(@Qualifier("edgeClient") ApiClient client, EventHandler<V1Pod> edgePods) {
		Informers informers = Informers.builder(client).build();
		informers.informer(V1Pod.class).addHandler(edgePods, HandlerOptions.defaults().withId("edgePods"));
		return informers;
	}

}
