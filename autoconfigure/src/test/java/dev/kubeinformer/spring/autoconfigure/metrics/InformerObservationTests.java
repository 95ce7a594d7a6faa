package dev.kubeinformer.spring.autoconfigure.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.openapi.models.V1Pod;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.handler.container.InformerHandlerConfiguration;
import dev.kubeinformer.spring.observation.DefaultInformerHandlerObservationConvention;
import dev.kubeinformer.spring.observation.InformerHandlerObservationContext;
import dev.kubeinformer.spring.observation.InformerHandlerObservationConvention;
import dev.kubeinformer.spring.observation.ObservedHandlers;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the observation of handlers that run on the embedded API.
 */
class InformerObservationTests {

	private static final String NAME = "kubernetes.informer.handler";

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes)
		.withConfiguration(AutoConfigurations.of(InformerObservationAutoConfiguration.class))
		.withPropertyValues("kubernetes.informers.retry.max-retries=0");

	@BeforeEach
	void create() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("canary-namespace", "canary-name"));
	}

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void handlerThatReturnsShouldBeObserved() {
		this.runner.withBean(TestObservationRegistry.class, TestObservationRegistry::create)
			.withBean(PodHandler.class)
			.run((context) -> {
				TestObservationRegistry registry = context.getBean(TestObservationRegistry.class);
				awaitStopped(registry);
				TestObservationRegistryAssert.assertThat(registry)
					.hasSingleObservationThat()
					.hasNameEqualTo(NAME)
					.hasContextualNameEqualTo("podHandler add")
					.hasLowCardinalityKeyValue("informer", "pods")
					.hasLowCardinalityKeyValue("handler", "podHandler")
					.hasLowCardinalityKeyValue("resource", "pods")
					.hasLowCardinalityKeyValue("event", "add")
					.hasLowCardinalityKeyValue("outcome", "success")
					.hasLowCardinalityKeyValue("exception", "none")
					.doesNotHaveError()
					.hasBeenStarted()
					.hasBeenStopped();
			});
	}

	@Test
	void currentObservationInAHandlerShouldBeItsOwn() {
		this.runner.withBean(TestObservationRegistry.class, TestObservationRegistry::create)
			.withBean(CurrentHandler.class)
			.run((context) -> {
				awaitStopped(context.getBean(TestObservationRegistry.class));
				assertThat(context.getBean(CurrentHandler.class).names).containsExactly(NAME);
			});
	}

	@Test
	void handlerThatThrowsShouldBeObservedByTheClassOfTheExceptionAlone() {
		this.runner.withBean(TestObservationRegistry.class, TestObservationRegistry::create)
			.withBean(FailingHandler.class)
			.run((context) -> {
				List<Throwable> errors = new CopyOnWriteArrayList<>();
				TestObservationRegistry registry = context.getBean(TestObservationRegistry.class);
				awaitStopped(registry);
				TestObservationRegistryAssert.assertThat(registry)
					.hasSingleObservationThat()
					.hasLowCardinalityKeyValue("outcome", "error")
					.hasLowCardinalityKeyValue("exception", "IllegalStateException")
					.satisfies((observed) -> errors.add(observed.getError()));
				assertThat(errors).singleElement().satisfies((error) -> {
					assertThat(error).hasMessage("java.lang.IllegalStateException")
						.hasNoCause()
						.hasNoSuppressedExceptions();
					assertThat(error.getStackTrace()[0].getClassName()).isEqualTo(FailingHandler.class.getName());
				});
				TestObservationRegistryAssert.assertThat(registry)
					.hasSingleObservationThat()
					.satisfies((observed) -> assertThat(observed.toString()).doesNotContain("canary"));
			});
	}

	@Test
	void conditionThatThrowsShouldBeObserved() {
		this.runner.withBean(TestObservationRegistry.class, TestObservationRegistry::create)
			.withBean(ConditionalHandler.class)
			.run((context) -> {
				TestObservationRegistry registry = context.getBean(TestObservationRegistry.class);
				awaitStopped(registry);
				TestObservationRegistryAssert.assertThat(registry)
					.hasSingleObservationThat()
					.hasLowCardinalityKeyValue("outcome", "error")
					.hasLowCardinalityKeyValue("exception", "HandlerConditionException");
			});
	}

	@Test
	void handlerOfTheOfficialInterfaceShouldBeObserved() {
		this.runner.withBean(TestObservationRegistry.class, TestObservationRegistry::create)
			.withBean(OfficialHandler.class)
			.run((context) -> {
				awaitStopped(context.getBean(TestObservationRegistry.class));
				TestObservationRegistryAssert.assertThat(context.getBean(TestObservationRegistry.class))
					.hasSingleObservationThat()
					.hasLowCardinalityKeyValue("handler", "officialHandler");
			});
	}

	@Test
	void handlerOfAChildContextShouldBeObservedByTheRegistryOfItsParent() {
		this.runner.withBean(TestObservationRegistry.class, TestObservationRegistry::create).run((context) -> {
			try (AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
				child.setParent(context.getSourceApplicationContext());
				child.register(InformerHandlerConfiguration.class, PodHandler.class);
				child.refresh();
				awaitStopped(context.getBean(TestObservationRegistry.class));
			}
		});
	}

	@Test
	void conventionOfTheUserShouldTakeThePlaceOfTheDefault() {
		this.runner.withBean(TestObservationRegistry.class, TestObservationRegistry::create)
			.withBean(PodHandler.class)
			.withBean(InformerHandlerObservationConvention.class, OwnConvention::new)
			.run((context) -> {
				awaitStopped(context.getBean(TestObservationRegistry.class));
				TestObservationRegistryAssert.assertThat(context.getBean(TestObservationRegistry.class))
					.hasSingleObservationThat()
					.hasNameEqualTo("own.name")
					.hasLowCardinalityKeyValue("namespace", "canary-namespace");
			});
	}

	@Test
	void observationsShouldBecomeATimerAndAMeterOfActiveCallsThatGoWithTheHandler() {
		this.runner
			.withConfiguration(
					AutoConfigurations.of(MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class,
							ObservationAutoConfiguration.class, InformerMetricsAutoConfiguration.class))
			.withBean(SimpleMeterRegistry.class)
			.withBean(FailingHandler.class)
			.run((context) -> {
				MeterRegistry meters = context.getBean(MeterRegistry.class);
				await().until(() -> meters.find(NAME).timer() != null);
				Timer timer = meters.get(NAME).timer();
				await().until(() -> timer.count() == 1);
				assertThat(timer.getId().getTags()).containsExactlyInAnyOrder(Tag.of("informer", "pods"),
						Tag.of("handler", "failingHandler"), Tag.of("resource", "pods"), Tag.of("event", "add"),
						Tag.of("outcome", "error"), Tag.of("exception", "IllegalStateException"),
						Tag.of("error", "HandlerFailure"));
				await().until(() -> meters.get(NAME + ".active").longTaskTimer().activeTasks() == 0);
				context.getBean(InformerHandlerRegistry.class).get("failingHandler").stop();
				await().until(() -> meters.find(NAME).meters().isEmpty());
				await().until(() -> meters.find(NAME + ".active").meters().isEmpty());
			});
	}

	@Test
	void observationsWhenSwitchedOffShouldBeAbsent() {
		this.runner.withBean(TestObservationRegistry.class, TestObservationRegistry::create)
			.withBean(PodHandler.class)
			.withPropertyValues("kubernetes.informers.observations.enabled=false")
			.run((context) -> {
				assertThat(context).doesNotHaveBean(ObservedHandlers.class);
				await().until(() -> context.getBean(InformerHandlerRegistry.class).get("podHandler").hasSynced());
				TestObservationRegistryAssert.assertThat(context.getBean(TestObservationRegistry.class))
					.doesNotHaveAnyObservation();
			});
	}

	@Test
	void applicationWithoutARegistryOrMicrometerShouldRun() {
		this.runner.withBean(PodHandler.class)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ObservedHandlers.class));
		this.runner.withBean(PodHandler.class)
			.withClassLoader(new FilteredClassLoader(ObservationRegistry.class))
			.run((context) -> {
				assertThat(context).hasNotFailed().doesNotHaveBean("informerObservedHandlers");
				await().until(() -> context.getBean(InformerHandlerRegistry.class).get("podHandler").hasSynced());
			});
	}

	@Test
	void registryThatObservesNothingShouldCostNothing() {
		this.runner.withBean(ObservationRegistry.class, () -> ObservationRegistry.NOOP)
			.withBean(PodHandler.class)
			.run((context) -> {
				await().until(() -> context.getBean(InformerHandlerRegistry.class).get("podHandler").hasSynced());
				assertThat(context.getBean(PodHandler.class).callers).noneMatch((name) -> name.contains("Observed"));
			});
	}

	private static void awaitStopped(TestObservationRegistry registry) {
		await().untilAsserted(
				() -> TestObservationRegistryAssert.assertThat(registry).hasSingleObservationThat().hasBeenStopped());
	}

	@InformerHandler(id = "podHandler")
	static class PodHandler {

		private final List<String> callers = new ArrayList<>();

		@OnAdd
		void added(V1Pod pod) {
			for (StackTraceElement caller : new Throwable().getStackTrace()) {
				this.callers.add(caller.getClassName());
			}
		}

	}

	@InformerHandler(id = "currentHandler")
	static class CurrentHandler {

		private final ObservationRegistry registry;

		private final List<String> names = new CopyOnWriteArrayList<>();

		CurrentHandler(ObservationRegistry registry) {
			this.registry = registry;
		}

		@OnAdd
		void added(V1Pod pod) {
			this.names.add(this.registry.getCurrentObservation().getContext().getName());
		}

	}

	@InformerHandler(id = "failingHandler")
	static class FailingHandler {

		@OnAdd
		void added(V1Pod pod) {
			throw new IllegalStateException("canary " + pod, new IllegalArgumentException("canary"));
		}

	}

	@InformerHandler(id = "conditionalHandler")
	static class ConditionalHandler {

		@OnAdd(condition = "#object.nothing == 1")
		void added(V1Pod pod) {
		}

	}

	@InformerHandler(id = "officialHandler")
	static class OfficialHandler implements ResourceEventHandler<V1Pod> {

		@Override
		public void onAdd(V1Pod pod) {
		}

		@Override
		public void onUpdate(V1Pod before, V1Pod now) {
		}

		@Override
		public void onDelete(V1Pod pod, boolean finalStateUnknown) {
		}

	}

	static class OwnConvention extends DefaultInformerHandlerObservationConvention {

		@Override
		public String getName() {
			return "own.name";
		}

		@Override
		public KeyValues getLowCardinalityKeyValues(InformerHandlerObservationContext context) {
			return super.getLowCardinalityKeyValues(context).and("namespace",
					context.getEvent().object().getMetadata().getNamespace());
		}

	}

}
