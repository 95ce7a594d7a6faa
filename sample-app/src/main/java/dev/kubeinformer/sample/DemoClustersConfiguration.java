package dev.kubeinformer.sample;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.kubernetes.client.openapi.models.V1Pod;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.scheduling.TaskScheduler;

import dev.kubeinformer.sample.page.Experiment;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesConnectionDetails;
import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * Configuration of two additional embedded APIs, {@code hub} and {@code edge}, whose pods
 * have the same names. Each cluster has its own connection details, qualified by its
 * name.
 */
@Configuration(proxyBeanMethods = false)
@Profile("clusters")
class DemoClustersConfiguration {

	@Bean(defaultCandidate = false)
	@Qualifier("hub")
	EmbeddedKubernetes hubKubernetes() {
		return start();
	}

	@Bean(defaultCandidate = false)
	@Qualifier("edge")
	EmbeddedKubernetes edgeKubernetes() {
		return start();
	}

	private static EmbeddedKubernetes start() {
		EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();
		kubernetes.resources(V1Pod.class).create(DemoCluster.pod("shop", "redis", "redis-0", "node-1", "Running"));
		return kubernetes;
	}

	@Bean(defaultCandidate = false)
	@Qualifier("hub")
	KubernetesConnectionDetails hubDetails(@Qualifier("hub") EmbeddedKubernetes hub) {
		return hub::url;
	}

	@Bean(defaultCandidate = false)
	@Qualifier("edge")
	KubernetesConnectionDetails edgeDetails(@Qualifier("edge") EmbeddedKubernetes edge) {
		return edge::url;
	}

	@Bean
	ClustersActivity clustersActivity(@Qualifier("hub") EmbeddedKubernetes hub,
			@Qualifier("edge") EmbeddedKubernetes edge) {
		return new ClustersActivity(List.of(hub.resources(V1Pod.class), edge.resources(V1Pod.class)));
	}

	@Bean("stop-edge")
	Experiment stopEdge(@Qualifier("edge") EmbeddedKubernetes edge, TaskScheduler scheduler,
			@Value("${sample.stop-edge.time:10s}") Duration time) {
		return () -> {
			edge.stopServing();
			scheduler.schedule(edge::resumeServing, Instant.now().plus(time));
			return time;
		};
	}

}
