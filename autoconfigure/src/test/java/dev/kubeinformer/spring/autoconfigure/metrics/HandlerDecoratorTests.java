package dev.kubeinformer.spring.autoconfigure.metrics;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Pod;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.Ordered;

import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.handler.HandlerDecorator;
import dev.kubeinformer.spring.observation.ObservedHandlers;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of several things that happen around each event.
 */
class HandlerDecoratorTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final List<String> calls = new CopyOnWriteArrayList<>();

	private final TestObservationRegistry observations = TestObservationRegistry.create();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes)
		.withConfiguration(AutoConfigurations.of(InformerObservationAutoConfiguration.class))
		.withBean(ObservationRegistry.class, () -> this.observations)
		.withBean(PodHandler.class, () -> new PodHandler(this.calls));

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void decoratorsOfTheApplicationShouldBeAppliedInOrderWithinTheObservation() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean("inner", HandlerDecorator.class, () -> new Recorder("inner", 2))
			.withBean("outer", HandlerDecorator.class, () -> new Recorder("outer", 1))
			.run((context) -> {
				await().until(() -> this.calls.contains("handled"));
				assertThat(this.calls).containsExactly("outer in true", "inner in true", "handled");
			});
	}

	@Test
	void blankSwitchOfObservationsShouldSayNothing() {
		this.runner.withPropertyValues("kubernetes.informers.observations.enabled=")
			.run((context) -> assertThat(context).hasSingleBean(ObservedHandlers.class));
		this.runner.withPropertyValues("kubernetes.informers.observations.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(ObservedHandlers.class));
	}

	private final class Recorder implements HandlerDecorator, Ordered {

		private final String name;

		private final int order;

		Recorder(String name, int order) {
			this.name = name;
			this.order = order;
		}

		@Override
		public int getOrder() {
			return this.order;
		}

		@Override
		public <T extends KubernetesObject> EventHandler<T> decorate(EventHandler<T> handler, String id,
				InformerSpec<T> spec) {
			return (event) -> {
				boolean observed = HandlerDecoratorTests.this.observations.getCurrentObservation() != null;
				HandlerDecoratorTests.this.calls.add(this.name + " in " + observed);
				handler.handle(event);
			};
		}

	}

	@InformerHandler(id = "podHandler")
	static class PodHandler {

		private final List<String> calls;

		PodHandler(List<String> calls) {
			this.calls = calls;
		}

		@OnAdd
		void added(V1Pod pod) {
			this.calls.add("handled");
		}

	}

}
