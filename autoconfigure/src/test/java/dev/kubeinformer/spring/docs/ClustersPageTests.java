package dev.kubeinformer.spring.docs;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.EventHandler;
import dev.kubeinformer.Informer;
import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that the code of {@code docs/clusters.md} does what the page says.
 */
class ClustersPageTests {

	@Test
	void secondClusterShouldHaveInformersOfItsOwnAndLeaveTheFirstAlone() {
		try (EmbeddedKubernetes here = EmbeddedKubernetes.start();
				EmbeddedKubernetes edge = EmbeddedKubernetes.start()) {
			here.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
			edge.resources(V1Pod.class).create(TestObjects.pod("web", "two"));
			edge.resources(V1Pod.class).create(TestObjects.pod("web", "three"));
			List<String> handled = new CopyOnWriteArrayList<>();
			EventHandler<V1Pod> handler = (event) -> handled.add(event.object().getMetadata().getName());
			InformerContextRunner.with(here)
				.withBean(EdgeProperties.class, edge.url())
				.withBean("edgePods", EventHandler.class, () -> handler)
				.withUserConfiguration(EdgeClusterConfiguration.class)
				.withBean(EdgeReport.class)
				.withBean("pods-of-the-page", NodeCountHandler.class)
				.run((context) -> {
					EdgeReport report = context.getBean(EdgeReport.class);
					await().until(() -> report.podsHere() == 1 && report.podsAtTheEdge() == 2);
					await().untilAsserted(() -> assertThat(handled).containsExactlyInAnyOrder("two", "three"));
					await().until(() -> context.getBean(InformerHandlerRegistry.class)
						.get("pods-of-the-page")
						.status()
						.deliveries()
						.processed() == 1);
					assertThat(context.getBean(Informers.class)).isNotSameAs(context.getBean("edgeInformers"));
					assertThat(context.getBean("edgeInformers", Informers.class).all()).extracting(Informer::id)
						.containsExactly("pods");
				});
		}
	}

}
