package com.example;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.CoreV1EndpointPort;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1EndpointAddress;
import io.kubernetes.client.openapi.models.V1EndpointSubset;
import io.kubernetes.client.openapi.models.V1Endpoints;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServiceSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests an application that has Spring Cloud Kubernetes with the client of fabric8,
 * discovery, configuration and reload, next to informers with their own client.
 */
class SpringCloudFabric8Tests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	@BeforeEach
	void fill() throws IOException {
		Path kubeconfig = Path.of(System.getenv("HOME"), ".kube", "config");
		Files.createDirectories(kubeconfig.getParent());
		this.kubernetes.writeKubeconfig(kubeconfig);
		// The client of fabric8 reads this property first, and the build may set it.
		System.setProperty("kubeconfig", kubeconfig.toString());
		V1ObjectMeta shop = new V1ObjectMeta().namespace("default").name("shop");
		this.kubernetes.resources(V1Service.class)
			.create(new V1Service().metadata(shop).spec(new V1ServiceSpec().type("ClusterIP")));
		this.kubernetes.resources(V1Endpoints.class)
			.create(new V1Endpoints().metadata(shop)
				.addSubsetsItem(new V1EndpointSubset().addAddressesItem(new V1EndpointAddress().ip("10.0.0.1"))
					.addPortsItem(new CoreV1EndpointPort().port(8080))));
		this.kubernetes.resources(V1ConfigMap.class)
			.create(new V1ConfigMap().metadata(new V1ObjectMeta().namespace("default").name("cloud"))
				.data(Map.of("greeting", "hello")));
	}

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void bothShouldWork() {
		try (ConfigurableApplicationContext context = run("--spring.main.cloud-platform=kubernetes",
				"--spring.config.import=kubernetes:", "--spring.cloud.kubernetes.reload.enabled=true")) {
			assertThat(context.getEnvironment().getProperty("greeting")).isEqualTo("hello");
			assertThat(context.getBean(DiscoveryClient.class).getInstances("shop")).hasSize(1);
			assertThat(context.getBean(KubernetesClient.class).services().inNamespace("default").list().getItems())
				.hasSize(1);
			assertThatInformersWork(context);
		}
	}

	private static void assertThatInformersWork(ConfigurableApplicationContext context) {
		assertThat(context.getBean(ApiClient.class).getClass().getName()).startsWith("dev.kubeinformer.");
		Services services = context.getBean(Services.class);
		await().untilAsserted(() -> assertThat(services.added).containsExactly("shop"));
		await().untilAsserted(() -> assertThat(services.configMaps.list()).hasSize(1));
		assertThat(context.getBean(Informers.class).all()).hasSize(2);
	}

	private static ConfigurableApplicationContext run(String... arguments) {
		SpringApplication application = new SpringApplication(Application.class);
		application.setDefaultProperties(Map.of("server.port", "0", "spring.application.name", "cloud",
				"spring.cloud.kubernetes.client.namespace", "default"));
		return application.run(arguments);
	}

	@SpringBootApplication
	static class Application {

		@Bean
		Services serviceHandler(Lister<V1ConfigMap> configMaps) {
			return new Services(configMaps);
		}

	}

	@InformerHandler
	static class Services {

		private final List<String> added = new CopyOnWriteArrayList<>();

		private final Lister<V1ConfigMap> configMaps;

		Services(Lister<V1ConfigMap> configMaps) {
			this.configMaps = configMaps;
		}

		@OnAdd
		void added(V1Service service) {
			this.added.add(service.getMetadata().getName());
		}

	}

}
