package dev.kubeinformer.spring.handler.container;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.handler.InformerErrorHandler;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.handler.method.InvalidHandlerException;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of what gets the events that are given up.
 */
@ExtendWith(OutputCaptureExtension.class)
class ErrorHandlerTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes)
		.withPropertyValues("kubernetes.informers.retry.max-retries=2", "kubernetes.informers.retry.delay=1ms",
				"kubernetes.informers.retry.jitter=0s");

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void onlyErrorHandlerShouldBeCalledOnceTheRetriesAreUsedUp() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean(FailingHandler.class).withBean(Recorder.class).run((context) -> {
			Recorder recorder = context.getBean(Recorder.class);
			await().until(() -> !recorder.received.isEmpty());
			await().until(context.getBean(InformerHandlerRegistry.class).get("failing")::hasSynced);
			assertThat(recorder.received).containsExactly("ADD one, attempt 3: bad one, by failing");
		});
	}

	@Test
	void errorHandlerShouldBeTheOneThatTheAnnotationNames() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean(NamingHandler.class)
			.withBean("first", Recorder.class)
			.withBean("second", Recorder.class)
			.run((context) -> {
				await().until(() -> !context.getBean("second", Recorder.class).received.isEmpty());
				assertThat(context.getBean("first", Recorder.class).received).isEmpty();
			});
	}

	@Test
	void errorHandlerOfTheConfigurationShouldPrecedeThatOfTheAnnotation() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean(NamingHandler.class)
			.withBean("first", Recorder.class)
			.withBean("second", Recorder.class)
			.withPropertyValues("kubernetes.informers.handlers.naming.error-handler=first")
			.run((context) -> {
				await().until(() -> !context.getBean("first", Recorder.class).received.isEmpty());
				assertThat(context.getBean("second", Recorder.class).received).isEmpty();
			});
	}

	@Test
	void noneShouldBeCalledIfThereAreSeveralAndNoneIsPrimary() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean(FailingHandler.class)
			.withBean("first", Recorder.class)
			.withBean("second", Recorder.class)
			.run((context) -> {
				await().until(context.getBean(InformerHandlerRegistry.class).get("failing")::hasSynced);
				assertThat(context.getBeansOfType(Recorder.class).values()).allMatch((some) -> some.received.isEmpty());
			});
	}

	@Test
	void primaryErrorHandlerShouldBeCalled() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean(FailingHandler.class)
			.withBean("first", Recorder.class)
			.withBean("second", Recorder.class, Recorder::new, (definition) -> definition.setPrimary(true))
			.run((context) -> await().until(() -> !context.getBean("second", Recorder.class).received.isEmpty()));
	}

	@Test
	void errorHandlerMayStopTheHandler() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean(FailingHandler.class)
			.withBean(InformerErrorHandler.class, () -> (event, failure, handler) -> handler.stop())
			.run((context) -> {
				InformerHandlerContainer container = context.getBean(InformerHandlerRegistry.class).get("failing");
				await().until(() -> !container.isRunning());
				assertThat(container.status().deliveries().exhausted()).isEqualTo(1);
			});
	}

	@Test
	void errorHandlerThatFailsShouldEndNothing() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean(FailingHandler.class)
			.withBean(InformerErrorHandler.class, () -> (event, failure, handler) -> {
				throw new IllegalStateException("error handler");
			})
			.run((context) -> {
				InformerHandlerContainer container = context.getBean(InformerHandlerRegistry.class).get("failing");
				await().until(container::hasSynced);
				this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "two"));
				await().until(() -> container.status().deliveries().exhausted() == 2);
			});
	}

	@Test
	void handlerWithTheOfficialInterfaceShouldHaveAnErrorHandlerToo() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean(OfficialHandler.class).withBean(Recorder.class).run((context) -> {
			Recorder recorder = context.getBean(Recorder.class);
			await().until(() -> !recorder.received.isEmpty());
			assertThat(recorder.received).containsExactly("ADD one, attempt 3: bad one, by official");
		});
	}

	@Test
	void eventShouldBeGivenUpAtOnceAfterAnExceptionThatTheConfigurationExcludes(CapturedOutput output) {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean(FailingHandler.class)
			.withBean(Recorder.class)
			.withPropertyValues("kubernetes.informers.handlers.failing.retry.excludes=java.io.IOException, "
					+ "java.lang.RuntimeException")
			.run((context) -> {
				InformerHandlerContainer container = context.getBean(InformerHandlerRegistry.class).get("failing");
				await().until(container::hasSynced);
				assertThat(context.getBean(Recorder.class).received)
					.containsExactly("ADD one, attempt 1: bad one, by failing");
				assertThat(container.status().deliveries().exhausted()).isEqualTo(1);
				assertThat(container.status().deliveries().retries()).isZero();
			});
		assertThat(output).containsOnlyOnce("as java.lang.RuntimeException is excluded from retries");
	}

	@Test
	void exceptionsThatTheAnnotationExcludesShouldBeReplacedByThoseOfTheConfiguration() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		ApplicationContextRunner handler = this.runner.withBean(PickyHandler.class).withBean(Recorder.class);
		handler.run((context) -> await().untilAsserted(() -> assertThat(context.getBean(Recorder.class).received)
			.containsExactly("ADD one, attempt 1: bad one, by picky")));
		handler.withPropertyValues("kubernetes.informers.handlers.picky.retry.excludes[0]=java.io.IOException")
			.run((context) -> await().untilAsserted(() -> assertThat(context.getBean(Recorder.class).received)
				.containsExactly("ADD one, attempt 3: bad one, by picky")));
	}

	@Test
	void errorHandlerThatDoesNotExistShouldFail() {
		this.runner.withBean("naming", NamingHandler.class)
			.withBean("first", Recorder.class)
			.run((context) -> assertThat(context.getStartupFailure())
				.isInstanceOfSatisfying(InvalidHandlerException.class, (ex) -> {
					assertThat(ex).hasMessageContaining("'naming'").hasMessageContaining("error handler 'second'");
					assertThat(ex.getAction()).contains("kubernetes.informers.handlers.naming.error-handler",
							"'first'");
				}));
	}

	static class Recorder implements InformerErrorHandler {

		private final List<String> received = new CopyOnWriteArrayList<>();

		@Override
		public void handle(ResourceEvent<?> event, Throwable failure, InformerHandlerContainer handler) {
			this.received.add("%s %s, attempt %d: %s, by %s".formatted(event.type(),
					event.object().getMetadata().getName(), event.attempt(), failure.getMessage(), handler.id()));
		}

	}

	@InformerHandler(id = "failing")
	static class FailingHandler {

		@OnAdd
		void added(V1Pod pod) {
			throw new IllegalArgumentException("bad " + pod.getMetadata().getName());
		}

	}

	@InformerHandler(id = "picky", retryExcludes = IllegalArgumentException.class)
	static class PickyHandler extends FailingHandler {

	}

	@InformerHandler(id = "naming", errorHandler = "${some.name:second}")
	static class NamingHandler extends FailingHandler {

	}

	@InformerHandler(id = "official")
	static class OfficialHandler implements ResourceEventHandler<V1Pod> {

		@Override
		public void onAdd(V1Pod pod) {
			throw new IllegalArgumentException("bad " + pod.getMetadata().getName());
		}

		@Override
		public void onUpdate(V1Pod before, V1Pod after) {
		}

		@Override
		public void onDelete(V1Pod pod, boolean finalStateUnknown) {
		}

	}

}
