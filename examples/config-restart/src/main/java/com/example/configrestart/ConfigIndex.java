package com.example.configrestart;

import java.util.stream.Stream;

import io.kubernetes.client.openapi.models.V1Deployment;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.kubeinformer.spring.autoconfigure.model.InformerIndex;

/**
 * Index of the Deployments by what they use, so that a change of one ConfigMap looks at
 * its Deployments only.
 */
@Configuration(proxyBeanMethods = false)
class ConfigIndex {

	static final String NAME = "by-config";

	@Bean
	InformerIndex<V1Deployment> deploymentsByConfig() {
		return InformerIndex.of(NAME, (deployment) -> {
			String namespace = deployment.getMetadata().getNamespace();
			ConfigReferences references = ConfigReferences.of(deployment.getSpec().getTemplate().getSpec());
			return Stream
				.concat(references.configMaps().stream().map((name) -> key(namespace, "ConfigMap", name)),
						references.secrets().stream().map((name) -> key(namespace, "Secret", name)))
				.toList();
		});
	}

	static String key(String namespace, String kind, String name) {
		return namespace + "/" + kind + "/" + name;
	}

}
