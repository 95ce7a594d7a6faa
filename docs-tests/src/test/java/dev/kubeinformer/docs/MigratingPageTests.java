package dev.kubeinformer.docs;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.ClientBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that the code of {@code docs/migrating.md} does what the page says.
 */
@Tag("once")
@TestInstance(Lifecycle.PER_CLASS)
class MigratingPageTests {

	private final RunningPage page;

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	MigratingPageTests() throws IOException {
		this.page = new RunningPage("docs/migrating.md");
	}

	@BeforeEach
	void pod() {
		this.kubernetes.reset();
		this.kubernetes.resources(V1Pod.class)
			.create(new V1Pod().metadata(new V1ObjectMeta().namespace("shop").name("web-1")));
	}

	@AfterAll
	void close() throws IOException {
		this.kubernetes.close();
		this.page.close();
	}

	@Test
	void handlerAndReaderShouldNeedNothingElse() {
		this.page.runner(this.kubernetes, "PodEvents", "PodReport").run((context) -> {
			InformerHandlerContainer handler = context.getBean(InformerHandlerRegistry.class).get("podEvents");
			await().until(() -> handler.status().deliveries().processed() == 1);
			assertThat(context.getBean(Informers.class).all()).extracting(Informer::id).containsExactly("pods");
		});
	}

	@Test
	void informersShouldWorkWithoutSpring() throws Exception {
		List<String> added = new CopyOnWriteArrayList<>();
		ResourceEventHandler<V1Pod> handler = new ResourceEventHandler<>() {

			@Override
			public void onAdd(V1Pod pod) {
				added.add(pod.getMetadata().getName());
			}

			@Override
			public void onUpdate(V1Pod before, V1Pod after) {
			}

			@Override
			public void onDelete(V1Pod pod, boolean finalStateUnknown) {
			}

		};
		this.page.run("pods.awaitSync",
				Map.of("client", new ClientBuilder().setBasePath(this.kubernetes.url()).build(), "handler", handler));
		assertThat(added).containsExactly("web-1");
	}

}
