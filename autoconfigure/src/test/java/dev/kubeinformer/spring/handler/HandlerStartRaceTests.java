package dev.kubeinformer.spring.handler;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import dev.kubeinformer.Informers;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerListener;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of what happens to a handler while it is being started.
 */
class HandlerStartRaceTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes)
		.withBean(PodHandler.class)
		.withPropertyValues("kubernetes.informers.handlers.podHandler.auto-startup=false");

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void listenerThatStopsAHandlerThatIsBeingAddedShouldHaveItRemoved() {
		startShouldEndWithTheHandlerRemoved(InformerHandlerContainer::stop);
	}

	@Test
	void stopByAnotherThreadWhileAHandlerIsBeingAddedShouldHaveItRemovedAndWaitForNobody() {
		AtomicBoolean stopped = new AtomicBoolean();
		startShouldEndWithTheHandlerRemoved((container) -> {
			CompletableFuture.runAsync(container::stop).orTimeout(10, TimeUnit.SECONDS).join();
			stopped.set(true);
		});
		assertThat(stopped).isTrue();
	}

	private void startShouldEndWithTheHandlerRemoved(Consumer<InformerHandlerContainer> stop) {
		this.runner.run((context) -> {
			InformerHandlerContainer container = context.getBean(InformerHandlerRegistry.class).get("podHandler");
			Informers informers = context.getBean(Informers.class);
			InformerListener listener = new InformerListener() {

				@Override
				public void handlerAdded(Informer<?> informer, HandlerRegistration handler) {
					stop.accept(container);
				}

			};
			informers.addListener(listener);
			container.start();
			assertThat(container.isRunning()).isFalse();
			assertThat(container.status().sync().synced()).isFalse();
			assertThat(informers.informer(V1Pod.class).handlers()).isEmpty();
			informers.removeListener(listener);
			container.start();
			await().until(container::hasSynced);
			assertThat(informers.informer(V1Pod.class).handlers()).hasSize(1);
		});
	}

	@InformerHandler(id = "podHandler")
	static class PodHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

}
