package dev.kubeinformer.spring.autoconfigure.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import dev.kubeinformer.controller.FailingFunction;
import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerListener;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.controller.ReconcilerState;
import dev.kubeinformer.controller.ReconcilerStatus;
import dev.kubeinformer.controller.RunOutcome;
import dev.kubeinformer.spring.FakeReconciler;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.observation.DefaultReconcilerObservationConvention;
import dev.kubeinformer.spring.observation.ObservedReconcilers;
import dev.kubeinformer.spring.observation.ReconcilerObservationContext;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the meters of reconcilers.
 */
class ReconcilerMetricsTests {

	private static final ObjectKey KEY = new ObjectKey("web", "one");

	private final FakeReconciler reconciler = FakeReconciler.ofPods("podReconciler").state(ReconcilerState.ACTIVE);

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	private final ApplicationContextRunner runner = InformerContextRunner.withoutCluster()
		.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class,
				CompositeMeterRegistryAutoConfiguration.class, ObservationAutoConfiguration.class,
				InformerMetricsAutoConfiguration.class, InformerObservationAutoConfiguration.class))
		.withBean(SimpleMeterRegistry.class, () -> this.meters, (definition) -> definition.setDestroyMethodName(""))
		.withBean(ReconcilerRegistry.class, () -> FakeReconciler.registry(this.reconciler));

	@Test
	void gaugesShouldShowTheStatus() {
		this.reconciler.synced(true)
			.failing(5)
			.slowed(3)
			.waiting(6)
			.runs(new ReconcilerStatus.Runs(9, 4, Duration.ofSeconds(90), 5, 0, 0, 0, null));
		this.runner.run((context) -> {
			assertThat(value("synced")).isEqualTo(1);
			assertThat(value("parked")).isEqualTo(2);
			assertThat(value("failing")).isEqualTo(5);
			assertThat(value("slowed")).isEqualTo(3);
			assertThat(value("waiting")).isEqualTo(6);
			assertThat(value("queue.size", "lane", "live")).isEqualTo(3);
			assertThat(value("queue.size", "lane", "retry")).isEqualTo(1);
			assertThat(value("queue.size", "lane", "initial")).isZero();
			assertThat(value("longest.running")).isEqualTo(90);
			this.reconciler.failingFunctions(new FailingFunction(FailingFunction.Kind.MAPPER, "secrets", 3,
					Instant.EPOCH, "web/oil", "java.lang.IllegalStateException"));
			assertThat(value("failing")).isEqualTo(8);
			this.reconciler.synced(false).failingFunctions().failing(0);
			assertThat(value("synced")).isZero();
			assertThat(value("failing")).isZero();
		});
	}

	@Test
	void registryOfTheParentShouldHaveTheMetersOfTheReconcilersOfAChild() {
		FakeReconciler other = FakeReconciler.ofPods("childReconciler");
		this.runner.run((parent) -> InformerContextRunner.withoutCluster()
			.withParent(parent)
			.withConfiguration(
					AutoConfigurations.of(MetricsAutoConfiguration.class, InformerMetricsAutoConfiguration.class))
			.withBean(ReconcilerRegistry.class, () -> FakeReconciler.registry(other))
			.run((child) -> {
				for (ReconcilerListener listener : listeners(child)) {
					listener.ran(other, run(2, QueueLane.RETRY));
				}
				assertThat(this.meters.get("kubernetes.reconciler.retries")
					.tag("reconciler", "childReconciler")
					.counter()
					.count()).isEqualTo(1);
			}));
	}

	@Test
	void whatDidNotHappenYetShouldBeThereWithAZero() {
		this.runner.run((context) -> {
			assertThat(value("retries")).isZero();
			assertThat(value("loops")).isZero();
			assertThat(value("warnings")).isZero();
			for (String outcome : List.of("seen", "timeout")) {
				assertThat(this.meters.get("kubernetes.reconciler.own.writes.wait")
					.tag("outcome", outcome)
					.timer()
					.count()).isZero();
			}
		});
	}

	@Test
	void whatIsReportedShouldBeMeasured() {
		this.runner.run((context) -> {
			for (ReconcilerListener listener : listeners(context)) {
				listener.ran(this.reconciler, run(1, QueueLane.INITIAL));
				listener.ran(this.reconciler, run(2, QueueLane.RETRY));
				listener.ran(this.reconciler, run(3, QueueLane.RETRY));
				listener.ownWritesAwaited(this.reconciler, KEY, Duration.ofSeconds(2), true);
				listener.ownWritesAwaited(this.reconciler, KEY, Duration.ofSeconds(10), false);
				listener.loopDetected(this.reconciler, KEY, "pods", "metadata.labels");
				listener.warningReceived(this.reconciler, "configmaps", "unknown field");
				listener.warningReceived(this.reconciler, "secrets", "unknown field");
			}
			assertThat(value("retries")).isEqualTo(2);
			assertThat(value("loops")).isEqualTo(1);
			assertThat(value("warnings")).isEqualTo(2);
			assertThat(this.meters.get("kubernetes.reconciler.warnings").counter().getId().getTags())
				.containsExactly(Tag.of("reconciler", "podReconciler"), Tag.of("resource", "pods"));
			assertThat(this.meters.get("kubernetes.reconciler.queue.time").tag("lane", "retry").timer().count())
				.isEqualTo(2);
			assertThat(this.meters.get("kubernetes.reconciler.queue.time").tag("lane", "initial").timer().count())
				.isEqualTo(1);
			assertThat(this.meters.get("kubernetes.reconciler.own.writes.wait")
				.tag("outcome", "timeout")
				.timer()
				.totalTime(TimeUnit.SECONDS)).isEqualTo(10);
			assertThat(this.meters.get("kubernetes.reconciler.retries").counter().getId().getTags())
				.containsExactly(Tag.of("reconciler", "podReconciler"), Tag.of("resource", "pods"));
		});
	}

	@Test
	void reconcilerThatComesLaterShouldHaveMeters() {
		FakeReconciler late = FakeReconciler.ofPods("late");
		this.runner.run((context) -> {
			late.reach(ReconcilerState.SYNCING, listeners(context));
			assertThat(this.meters.get("kubernetes.reconciler.failing").tag("reconciler", "late").gauge().value())
				.isZero();
		});
	}

	@Test
	void reconcilerOfTheIdOfAnotherShouldTakeItsPlace() {
		FakeReconciler other = FakeReconciler.ofPods("podReconciler").failing(7);
		this.runner.run((context) -> {
			other.reach(ReconcilerState.SYNCING, listeners(context));
			assertThat(value("failing")).isEqualTo(7);
		});
	}

	@Test
	void metersShouldSurviveAStopAndGoWithTheContext() {
		this.runner.run((context) -> {
			this.reconciler.run(context, RunOutcome.ERROR, new IllegalStateException());
			this.reconciler.reach(ReconcilerState.STOPPED, listeners(context));
			assertThat(value("retries")).isEqualTo(1);
			this.reconciler.reach(ReconcilerState.SYNCING, listeners(context));
			assertThat(value("retries")).isEqualTo(1);
			assertThat(names()).contains("kubernetes.reconciler", "kubernetes.reconciler.active");
		});
		assertThat(names()).noneMatch((name) -> name.startsWith("kubernetes.reconciler"));
	}

	@Test
	void runThatEndsAfterTheContextShouldLeaveNoMeter() {
		this.runner.run((context) -> {
			List<ReconcilerListener> listeners = listeners(context);
			context.close();
			listeners.forEach((listener) -> listener.ownWritesAwaited(this.reconciler, KEY, Duration.ZERO, true));
		});
		assertThat(names()).noneMatch((name) -> name.startsWith("kubernetes.reconciler"));
	}

	@Test
	void runsShouldBeTimedByOutcome() {
		this.runner.run((context) -> {
			this.reconciler.run(context, RunOutcome.DONE, null);
			this.reconciler.run(context, RunOutcome.GAVE_UP, new IllegalStateException());
			assertThat(this.meters.get("kubernetes.reconciler").tag("outcome", "done").timer().count()).isEqualTo(1);
			assertThat(this.meters.get("kubernetes.reconciler")
				.tags("outcome", "gave-up", "exception", "IllegalStateException")
				.timer()
				.count()).isEqualTo(1);
			assertThat(this.meters.get("kubernetes.reconciler.active").longTaskTimer().activeTasks()).isZero();
		});
	}

	@Test
	void runsShouldNotBeObservedWhenObservationsAreOff() {
		this.runner.withPropertyValues("kubernetes.informers.observations.enabled=false").run((context) -> {
			assertThat(context).doesNotHaveBean(ObservedReconcilers.class);
			this.reconciler.run(context, RunOutcome.DONE, null);
			assertThat(names()).doesNotContain("kubernetes.reconciler").contains("kubernetes.reconciler.queue.time");
		});
	}

	@Test
	void conventionOfTheUserShouldNameTheObservation() {
		this.runner.withBean(OwnConvention.class).run((context) -> {
			this.reconciler.run(context, RunOutcome.DONE, null);
			assertThat(this.meters.get("own").tag("reconciler", "podReconciler").timer().count()).isEqualTo(1);
		});
	}

	@Test
	void observationsShouldBeThereWithoutMeters() {
		InformerContextRunner.withoutCluster()
			.withConfiguration(AutoConfigurations.of(InformerMetricsAutoConfiguration.class,
					InformerObservationAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader(MeterRegistry.class))
			.withBean(ObservationRegistry.class, ObservationRegistry::create)
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(ObservedReconcilers.class));
		InformerContextRunner.withoutCluster()
			.withConfiguration(AutoConfigurations.of(InformerMetricsAutoConfiguration.class,
					InformerObservationAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader(Observation.class, ObservationRegistry.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ObservedReconcilers.class));
	}

	private static ReconcileRun run(int attempt, QueueLane lane) {
		return new ReconcileRun(KEY, attempt, false, lane, Duration.ofSeconds(3), Duration.ofSeconds(1),
				RunOutcome.ERROR, new IllegalStateException());
	}

	private static List<ReconcilerListener> listeners(ApplicationContext context) {
		return context.getBeanProvider(ReconcilerListener.class).stream().toList();
	}

	private double value(String name, String... tags) {
		return this.meters.get("kubernetes.reconciler." + name)
			.tags(tags)
			.meter()
			.measure()
			.iterator()
			.next()
			.getValue();
	}

	private List<String> names() {
		return this.meters.getMeters().stream().map(Meter::getId).map(Meter.Id::getName).toList();
	}

	static class OwnConvention extends DefaultReconcilerObservationConvention {

		@Override
		public String getName() {
			return "own";
		}

		@Override
		public String getContextualName(ReconcilerObservationContext context) {
			return "own " + context.getKey();
		}

	}

}
