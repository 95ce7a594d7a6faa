package dev.kubeinformer.spring.autoconfigure.client;

import java.util.List;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Service;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of an application that has Spring Cloud Kubernetes, too: its client is shared,
 * and each side gets its own listers.
 */
@ExtendWith(OutputCaptureExtension.class)
class SpringCloudKubernetesTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	// In this order, so that only their declarations bring them into the right one.
	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withPropertyValues(InformerContextRunner.NO_CLUSTER)
		.withConfiguration(
				AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesClientAutoConfiguration.class,
						org.springframework.cloud.kubernetes.client.KubernetesClientAutoConfiguration.class))
		.withPropertyValues("cloud.url=" + this.kubernetes.url());

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void clientOfSpringCloudShouldBeUsed(CapturedOutput output) {
		this.runner.withBean(ServiceHandler.class).run((context) -> {
			assertThat(context).hasNotFailed().hasSingleBean(ApiClient.class).hasBean("apiClient");
			await().until(() -> context.getBean(InformerHandlerRegistry.class).get("serviceHandler").hasSynced());
			this.kubernetes.awaitWatches(1);
		});
		assertThat(output).doesNotContain("WARN");
	}

	@Test
	void listersShouldNotTakeThePlaceOfThoseOfSpringCloud() {
		this.kubernetes.resources(V1Service.class)
			.create(new V1Service().metadata(new V1ObjectMeta().namespace("web").name("of-cluster")));
		this.runner.withBean(CloudDiscovery.class).withBean(OwnReader.class).run((context) -> {
			assertThat(names(context.getBean(CloudDiscovery.class).serviceListers.get(0))).containsExactly("of-cloud");
			OwnReader reader = context.getBean(OwnReader.class);
			await().until(() -> names(reader.services).equals(List.of("of-cluster")));
			assertThat(names(reader.provided.getObject())).containsExactly("of-cluster");
		});
	}

	private static List<String> names(Lister<V1Service> services) {
		return services.list().stream().map((service) -> service.getMetadata().getName()).toList();
	}

	@InformerHandler(id = "serviceHandler")
	static class ServiceHandler {

		@OnAdd
		void added(V1Service service) {
		}

	}

	record CloudDiscovery(List<Lister<V1Service>> serviceListers) {

	}

	record OwnReader(Lister<V1Service> services, ObjectProvider<Lister<V1Service>> provided) {

	}

}
