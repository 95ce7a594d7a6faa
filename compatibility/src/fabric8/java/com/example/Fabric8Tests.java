package com.example;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;

import dev.kubeinformer.spring.test.EmbeddedKubernetesTest;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests an application that writes with the client of fabric8, and has an informer of
 * each client.
 */
@SpringBootTest
@EmbeddedKubernetesTest
class Fabric8Tests {

	@Test
	void bothClientsShouldWork(EmbeddedKubernetes kubernetes, @Autowired Names names) {
		List<String> seen = new CopyOnWriteArrayList<>();
		try (KubernetesClient client = new KubernetesClientBuilder()
			.withConfig(new ConfigBuilder().withMasterUrl(kubernetes.url()).build())
			.build();
				SharedIndexInformer<ConfigMap> informer = client.configMaps()
					.inNamespace("default")
					.inform(new ResourceEventHandler<>() {

						@Override
						public void onAdd(ConfigMap map) {
							seen.add(map.getMetadata().getName());
						}

						@Override
						public void onUpdate(ConfigMap before, ConfigMap after) {
						}

						@Override
						public void onDelete(ConfigMap map, boolean unknown) {
						}

					})) {
			client.configMaps()
				.resource(new ConfigMapBuilder().withNewMetadata()
					.withNamespace("default")
					.withName("settings")
					.endMetadata()
					.build())
				.create();
			await().untilAsserted(() -> assertThat(seen).contains("settings"));
			await().untilAsserted(() -> assertThat(names.configMaps.namespace("default").list())
				.extracting((map) -> map.getMetadata().getName())
				.contains("settings"));
		}
	}

	@SpringBootApplication
	static class Application {

		@Bean
		Names names(Lister<V1ConfigMap> configMaps) {
			return new Names(configMaps);
		}

	}

	record Names(Lister<V1ConfigMap> configMaps) {

	}

}
