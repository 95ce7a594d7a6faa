package com.example.controller;

import java.io.IOException;
import java.nio.file.Path;

import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import io.kubernetes.client.util.Yaml;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

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
		EmbeddedKubernetes kubernetes() throws IOException {
			EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();
			kubernetes.resources(V1CustomResourceDefinition.class)
				.create(Yaml.loadAs(Path.of("src/main/k8s/webapps.yaml").toFile(), V1CustomResourceDefinition.class));
			return kubernetes;
		}

		@Bean
		KubernetesConnectionDetails connection(EmbeddedKubernetes kubernetes) {
			return kubernetes::url;
		}

	}

}
