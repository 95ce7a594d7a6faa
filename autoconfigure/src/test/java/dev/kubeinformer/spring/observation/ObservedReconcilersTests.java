package dev.kubeinformer.spring.observation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.kubernetes.client.openapi.models.V1Pod;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.kubeinformer.controller.GiveUpException;
import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.controller.ReconcileFunction;
import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerState;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.controller.RunOutcome;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.spring.FakeReconciler;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests of {@link ObservedReconcilers}.
 */
class ObservedReconcilersTests {

	private final FakeReconciler reconciler = FakeReconciler.ofPods("podReconciler");

	private final ObservationRegistry registry = ObservationRegistry.create();

	private final Recorder recorder = new Recorder();

	private final ObservedReconcilers observed = new ObservedReconcilers(() -> this.registry, () -> null, () -> false);

	@ParameterizedTest
	@EnumSource
	void observationShouldEndWithTheOutcomeOfTheRun(RunOutcome outcome) throws Exception {
		record();
		Throwable error = (outcome == RunOutcome.DONE || outcome == RunOutcome.REQUEUE) ? null
				: new GiveUpException("s3cret");
		reconcile("one", (pod, run) -> Result.done());
		assertThat(this.recorder.stopped).isEmpty();
		ran("one", outcome, error);
		String tag = outcome.name().toLowerCase(Locale.ROOT).replace('_', '-');
		String exception = (error != null) ? "GiveUpException" : "none";
		assertThat(this.recorder.stopped)
			.containsExactly("kubernetes.reconciler [exception=%s, outcome=%s, reconciler=podReconciler, resource=pods]"
				.formatted(exception, tag));
		// A conflict is none: it happens in good times.
		boolean failed = error != null && outcome != RunOutcome.CONFLICT;
		assertThat(this.recorder.errors).hasSize(failed ? 1 : 0).doesNotContain("s3cret");
	}

	@Test
	void functionShouldRunInTheScopeOfItsObservation() throws Exception {
		record();
		List<Object> scopes = new ArrayList<>();
		Result result = Result.requeueAfter(Duration.ofSeconds(1));
		assertThat(reconcile("one", (pod, run) -> {
			scopes.add(this.registry.getCurrentObservation());
			return result;
		})).isSameAs(result);
		assertThat(scopes).singleElement()
			.isInstanceOfSatisfying(Observation.class,
					(observation) -> assertThat(observation.getContext().getName()).isEqualTo("kubernetes.reconciler"));
		assertThat(this.registry.getCurrentObservation()).isNull();
	}

	@Test
	void exceptionShouldGoOutUnchanged() {
		record();
		Exception thrown = new Exception("s3cret");
		assertThatThrownBy(() -> reconcile("one", (pod, run) -> {
			throw thrown;
		})).isSameAs(thrown);
		ran("one", RunOutcome.ERROR, thrown);
		assertThat(this.recorder.errors).containsExactly("java.lang.Exception");
		assertThat(this.registry.getCurrentObservation()).isNull();
	}

	@Test
	void runsOfSeveralKeysAtOnceShouldEndEachByItself() throws Exception {
		record();
		reconcile("one", (pod, run) -> {
			reconcile("two", (other, inner) -> Result.done());
			ran("two", RunOutcome.DONE, null);
			return Result.done();
		});
		ran("one", RunOutcome.TIMEOUT, new InterruptedException());
		assertThat(this.recorder.stopped).hasSize(2);
		assertThat(this.recorder.stopped.get(0)).contains("outcome=done");
		assertThat(this.recorder.stopped.get(1)).contains("outcome=timeout");
	}

	@Test
	void runThatFailedBeforeTheFunctionWasCalledShouldBeObserved() {
		record();
		ran("one", RunOutcome.ERROR, new IllegalStateException("s3cret"));
		assertThat(this.recorder.stopped).singleElement()
			.asString()
			.contains("outcome=error", "exception=IllegalStateException");
		ran("one", RunOutcome.DONE, null);
		assertThat(this.recorder.stopped).hasSize(1);
	}

	@Test
	void cleanupShouldBeNamedAsOne() throws Exception {
		record();
		ReconcileFunction<V1Pod> cleanup = this.observed.decorate((pod, run) -> Result.done(), "podReconciler",
				ResourceType.of(V1Pod.class), true);
		cleanup.reconcile(TestObjects.pod("web", "one"), run("one"));
		ran("one", RunOutcome.DONE, null);
		assertThat(this.recorder.names).containsExactly("podReconciler cleanup");
	}

	@Test
	void runShouldBeObservedOnceAlthoughAParentContextDecoratesToo() throws Exception {
		record();
		ObservedReconcilers inner = new ObservedReconcilers(() -> this.registry, () -> null, () -> false);
		ReconcileFunction<V1Pod> decorated = inner.decorate((pod, run) -> Result.done(), "podReconciler",
				ResourceType.of(V1Pod.class), false);
		reconcile("one", decorated);
		inner.ran(this.reconciler, ended("one", RunOutcome.DONE, null));
		assertThat(this.recorder.stopped).isEmpty();
		ran("one", RunOutcome.DONE, null);
		assertThat(this.recorder.stopped).hasSize(1);
	}

	@Test
	void observationOfARunThatAStopEndedShouldEnd() throws Exception {
		record();
		reconcile("one", (pod, run) -> Result.done());
		this.observed.stateChanged(FakeReconciler.ofPods("other"), ReconcilerState.STOPPED);
		this.observed.stateChanged(this.reconciler, ReconcilerState.PAUSED);
		assertThat(this.recorder.stopped).isEmpty();
		this.observed.stateChanged(this.reconciler, ReconcilerState.STOPPED);
		assertThat(this.recorder.stopped).singleElement().asString().contains("outcome=unknown");
		ran("one", RunOutcome.DONE, null);
		assertThat(this.recorder.stopped).hasSize(1);
	}

	@Test
	void observationOfARunThatTheEndOfATermEndedShouldEnd() throws Exception {
		record();
		reconcile("one", (pod, run) -> Result.done());
		this.observed.stateChanged(this.reconciler, ReconcilerState.STANDBY);
		assertThat(this.recorder.stopped).singleElement().asString().contains("outcome=unknown");
	}

	@Test
	void failureOfAnObservationShouldBeNoneOfTheReconciler() throws Exception {
		this.registry.observationConfig().observationHandler(new Failing());
		for (int i = 0; i < 2; i++) {
			assertThat(reconcile("one", (pod, run) -> Result.done())).isEqualTo(Result.done());
			ran("one", RunOutcome.ERROR, new IllegalStateException());
		}
		assertThat(this.registry.getCurrentObservation()).isNull();
	}

	@Test
	void withoutObservationsTheFunctionShouldStayAsItIs() {
		ReconcileFunction<V1Pod> function = (pod, run) -> Result.done();
		ObservedReconcilers none = new ObservedReconcilers(() -> ObservationRegistry.NOOP, () -> null, () -> false);
		assertThat(none.decorate(function, "r", ResourceType.of(V1Pod.class), false)).isSameAs(function);
		none.ran(this.reconciler, ended("one", RunOutcome.ERROR, new IllegalStateException()));
	}

	private void record() {
		this.registry.observationConfig().observationHandler(this.recorder);
	}

	private Result reconcile(String name, ReconcileFunction<V1Pod> function) throws Exception {
		return this.observed.decorate(function, "podReconciler", ResourceType.of(V1Pod.class), false)
			.reconcile(TestObjects.pod("web", name), run(name));
	}

	@SuppressWarnings("unchecked")
	private static Reconciliation<V1Pod> run(String name) {
		Reconciliation<V1Pod> run = mock(Reconciliation.class);
		given(run.cluster()).willReturn("default");
		given(run.key()).willReturn(new ObjectKey("web", name));
		given(run.attempt()).willReturn(1);
		return run;
	}

	private void ran(String name, RunOutcome outcome, Throwable error) {
		this.observed.ran(this.reconciler, ended(name, outcome, error));
	}

	private static ReconcileRun ended(String name, RunOutcome outcome, Throwable error) {
		return new ReconcileRun(new ObjectKey("web", name), 1, false, QueueLane.LIVE, Duration.ZERO, Duration.ZERO,
				outcome, error);
	}

	static final class Recorder implements ObservationHandler<Observation.Context> {

		private final List<String> stopped = new ArrayList<>();

		private final List<String> names = new ArrayList<>();

		private final List<String> errors = new ArrayList<>();

		@Override
		public void onError(Observation.Context context) {
			this.errors.add(context.getError().getMessage());
		}

		@Override
		public void onStop(Observation.Context context) {
			List<String> tags = context.getLowCardinalityKeyValues()
				.stream()
				.map((KeyValue tag) -> tag.getKey() + "=" + tag.getValue())
				.sorted()
				.toList();
			this.stopped.add(context.getName() + " " + tags);
			this.names.add(context.getContextualName());
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

	}

	static final class Failing implements ObservationHandler<Observation.Context> {

		@Override
		public void onStart(Observation.Context context) {
			throw new IllegalStateException();
		}

		@Override
		public void onStop(Observation.Context context) {
			throw new IllegalStateException();
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

	}

}
