package dev.kubeinformer.spring.handler;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.types.InformerState;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of handlers that are started by hand.
 */
class HandlerStartTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes)
		.withBean(PodHandler.class)
		.withBean(NodeReader.class);

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void startOfAHandlerShouldStartItsInformerAndNoOther() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withPropertyValues("kubernetes.informers.auto-startup=false").run((context) -> {
			assertThat(this.kubernetes.requests()).isEmpty();
			context.getBean(InformerHandlerRegistry.class).get("podHandler").start();
			assertThat(context.getBean(PodHandler.class).added.await(10, TimeUnit.SECONDS)).isTrue();
			Informers informers = context.getBean(Informers.class);
			assertThat(informers.informer(V1Node.class).status().state()).isEqualTo(InformerState.NEW);
			informers.start();
			assertThat(informers.informer(V1Node.class).awaitSync(Duration.ofSeconds(60))).isTrue();
		});
	}

	@Test
	void startOfARunningHandlerShouldDoNothing() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.run((context) -> {
			InformerHandlerContainer container = context.getBean(InformerHandlerRegistry.class).get("podHandler");
			assertThat(context.getBean(PodHandler.class).added.await(10, TimeUnit.SECONDS)).isTrue();
			container.start();
			assertThat(container.isRunning()).isTrue();
			assertThat(container.spec()).isEqualTo(context.getBean(Informers.class).informer(V1Pod.class).spec());
			assertThat(context.getBean(Informers.class).informer(V1Pod.class).status().lists().total())
				.isLessThanOrEqualTo(1);
		});
	}

	@InformerHandler(id = "podHandler")
	static class PodHandler {

		private final CountDownLatch added = new CountDownLatch(1);

		@OnAdd
		void added(V1Pod pod) {
			this.added.countDown();
		}

	}

	static class NodeReader {

		NodeReader(Lister<V1Node> nodes) {
		}

	}

}
