package com.example.controller;

import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

import dev.kubeinformer.definitions.CustomResourceDefinitions;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesConnectionDetails;
import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * Runs the application without a cluster, on a Kubernetes API server in memory:
 * {@code mvn spring-boot:test-run}.
 */
class TestControllerApplication {

	public static void main(String[] args) {
		SpringApplication.from(ControllerApplication::main).with(Cluster.class).run(args);
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Cluster {

		@Bean
		EmbeddedKubernetes kubernetes() {
			EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().garbageCollection(true).start();
			CustomResourceDefinitions.of(WebApp.class)
				.all()
				.forEach(kubernetes.resources(V1CustomResourceDefinition.class)::create);
			return kubernetes;
		}

		@Bean
		KubernetesConnectionDetails connection(EmbeddedKubernetes kubernetes) {
			return kubernetes::url;
		}

	}

}
