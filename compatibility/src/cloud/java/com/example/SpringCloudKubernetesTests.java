package com.example;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Endpoints;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Service;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.types.InformerState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that injection points of Spring Cloud Kubernetes and of the application get the
 * listers and informers of their own side.
 */
class SpringCloudKubernetesTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	@BeforeEach
	void fill() throws IOException {
		Path kubeconfig = Path.of(System.getenv("HOME"), ".kube", "config");
		Files.createDirectories(kubeconfig.getParent());
		this.kubernetes.writeKubeconfig(kubeconfig);
		this.kubernetes.resources(V1Service.class)
			.create(new V1Service().metadata(new V1ObjectMeta().namespace("default").name("shop")));
		this.kubernetes.resources(V1Service.class)
			.create(new V1Service().metadata(new V1ObjectMeta().namespace("other").name("bank")));
	}

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void eachSideShouldGetItsOwn() {
		try (ConfigurableApplicationContext context = run()) {
			assertThatSpringCloudIsWhole(context);
			OwnPoints own = context.getBean(OwnPoints.class);
			// Spring Cloud caches its own namespace.
			await().until(() -> own.services.list().size() == 2);
			assertThat(own.provided.getObject().list()).hasSize(2);
			assertThat(own.informer).isPresent();
			assertThat(context.getBean(Informers.class).all()).singleElement()
				.extracting(Informer::id)
				.isEqualTo("services");
		}
	}

	@Test
	void onlySpringCloudShouldBeThereWhileInformersAreOff() {
		try (ConfigurableApplicationContext context = run("--kubernetes.informers.enabled=false")) {
			assertThatSpringCloudIsWhole(context);
			OwnPoints own = context.getBean(OwnPoints.class);
			assertThat(own.services.list()).isEmpty();
			assertThat(own.provided.getIfAvailable()).isNull();
			assertThat(own.informer).isEmpty();
			assertThat(context.getBeansOfType(Lister.class)).isEmpty();
			assertThat(context.getBeansOfType(SharedInformer.class)).isEmpty();
			assertThat(context.getBean(Informers.class).all())
				.allMatch((informer) -> informer.state() == InformerState.NEW);
		}
	}

	private static void assertThatSpringCloudIsWhole(ConfigurableApplicationContext context) {
		CloudPoints points = context.getBean(CloudPoints.class);
		assertThat(points.listers).isSameAs(context.getBean("serviceListers"));
		assertThat(points.anyName).isSameAs(context.getBean("serviceSharedIndexInformers"));
		assertThat(points.endpoints).isSameAs(context.getBean("endpointsSharedIndexInformers"));
		assertThat(points.provided.getObject()).isSameAs(context.getBean("endpointsListers"));
		assertThat(points.factories).isSameAs(context.getBean("sharedInformerFactories"));
		assertThat(points.anyName).singleElement().isNotInstanceOf(Informer.class);
		await().untilAsserted(() -> assertThat(points.listers.get(0).list()).singleElement()
			.satisfies((service) -> assertThat(service.getMetadata().getName()).isEqualTo("shop")));
		assertThat(context.getBean(DiscoveryClient.class).getServices()).containsExactly("shop");
	}

	private static ConfigurableApplicationContext run(String... arguments) {
		SpringApplication application = new SpringApplication(Application.class);
		application.setDefaultProperties(Map.of("server.port", "0", "spring.application.name", "cloud",
				"spring.main.cloud-platform", "kubernetes", "spring.cloud.kubernetes.client.namespace", "default",
				"spring.cloud.kubernetes.config.enabled", "false", "spring.cloud.config.enabled", "false"));
		return application.run(arguments);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ CloudPoints.class, OwnPoints.class })
	static class Application {

	}

	record CloudPoints(List<Lister<V1Service>> listers, List<SharedIndexInformer<V1Service>> anyName,
			List<SharedIndexInformer<V1Endpoints>> endpoints, ObjectProvider<List<Lister<V1Endpoints>>> provided,
			List<SharedInformerFactory> factories) {

	}

	record OwnPoints(Lister<V1Service> services, ObjectProvider<Lister<V1Service>> provided,
			Optional<SharedIndexInformer<V1Service>> informer) {

	}

}
