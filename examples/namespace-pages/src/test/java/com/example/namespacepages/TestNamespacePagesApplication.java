package com.example.namespacepages;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import dev.kubeinformer.spring.autoconfigure.client.KubernetesConnectionDetails;
import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * Runs the application without a cluster, on a Kubernetes API server in memory:
 * {@code mvn spring-boot:test-run}.
 */
class TestNamespacePagesApplication {

	public static void main(String[] args) {
		start(args);
	}

	static ConfigurableApplicationContext start(String... args) {
		return SpringApplication.from(NamespacePagesApplication::main)
			.with(Cluster.class)
			.run(args)
			.getApplicationContext();
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Cluster {

		@Bean
		EmbeddedKubernetes kubernetes() {
			return EmbeddedKubernetes.start();
		}

		@Bean
		KubernetesConnectionDetails connection(EmbeddedKubernetes kubernetes) {
			return new KubernetesConnectionDetails() {

				@Override
				public String getUrl() {
					return kubernetes.url();
				}

				@Override
				public String getNamespace() {
					// The Leases of the replicas are here.
					return "default";
				}

			};
		}

	}

}
