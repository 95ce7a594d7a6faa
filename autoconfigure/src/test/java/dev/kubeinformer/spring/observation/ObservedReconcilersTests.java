package dev.kubeinformer.spring.observation;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;

import io.kubernetes.client.openapi.models.V1Pod;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.controller.GiveUpException;
import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.controller.ReconcileFunction;
import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.controller.RunOutcome;
import dev.kubeinformer.controller.RunScope;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.spring.FakeReconciler;
import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.Problem;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link ObservedReconcilers}.
 */
class ObservedReconcilersTests {

	private final FakeReconciler reconciler = FakeReconciler.ofPods("podReconciler");

	private final ObservationRegistry registry = ObservationRegistry.create();

	private final Recorder recorder = new Recorder();

	private final ObservedReconcilers observed = new ObservedReconcilers(() -> this.registry, () -> null, () -> false);

	private final Deque<RunScope> scopes = new ArrayDeque<>();

	@ParameterizedTest
	@EnumSource
	void observationShouldEndWithTheOutcomeOfTheRun(RunOutcome outcome) {
		record();
		Throwable error = (outcome == RunOutcome.DONE || outcome == RunOutcome.REQUEUE) ? null
				: new GiveUpException("s3cret");
		begin("one");
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
	void runShouldBeInTheScopeOfItsObservationUntilItIsClosed() {
		record();
		begin("one");
		assertThat(this.registry.getCurrentObservation()).isNotNull()
			.satisfies((current) -> assertThat(current.getContext().getName()).isEqualTo("kubernetes.reconciler"));
		this.scopes.peek().ended(ended("one", RunOutcome.DONE, null));
		assertThat(this.registry.getCurrentObservation()).isNotNull();
		this.scopes.pop().close();
		assertThat(this.registry.getCurrentObservation()).isNull();
	}

	@Test
	void errorShouldBeTheClassOfTheExceptionAlone() {
		record();
		begin("one");
		ran("one", RunOutcome.ERROR, new Exception("s3cret"));
		assertThat(this.recorder.errors).containsExactly("java.lang.Exception");
		assertThat(this.registry.getCurrentObservation()).isNull();
	}

	@Test
	void runsOfSeveralKeysShouldEndEachByItself() {
		record();
		begin("one");
		begin("two");
		ran("two", RunOutcome.DONE, null);
		ran("one", RunOutcome.TIMEOUT, new InterruptedException());
		assertThat(this.recorder.stopped).hasSize(2);
		assertThat(this.recorder.stopped.get(0)).contains("outcome=done");
		assertThat(this.recorder.stopped.get(1)).contains("outcome=timeout");
	}

	@Test
	void cleanupShouldBeNamedAsOne() {
		record();
		begin("one", true, null);
		ran("one", RunOutcome.DONE, null);
		assertThat(this.recorder.names).containsExactly("podReconciler cleanup");
	}

	@Test
	void runShouldBeObservedOnceAlthoughAParentContextObservesToo() {
		record();
		ObservedReconcilers inner = new ObservedReconcilers(() -> this.registry, () -> null, () -> false);
		begin("one");
		assertThat(inner.running(this.reconciler, new RunScope.Start(new ObjectKey("web", "one"), 1, false, null)))
			.isNull();
		ran("one", RunOutcome.DONE, null);
		assertThat(this.recorder.stopped).hasSize(1);
	}

	@Test
	void observationOfARunThatAStopEndedShouldEnd() {
		record();
		begin("one");
		this.scopes.pop().close();
		assertThat(this.recorder.stopped).singleElement().asString().contains("outcome=unknown");
	}

	@Test
	void triggeredRunShouldBeAChildOfTheObservationThatTriggeredIt() {
		record();
		Observation trigger = Observation.start("request", this.registry);
		Object origin;
		try (Observation.Scope scope = trigger.openScope()) {
			origin = this.observed.triggering(this.reconciler, new ObjectKey("web", "one"));
			assertThat(scope).isNotNull();
		}
		trigger.stop();
		begin("one", false, origin);
		assertThat(this.registry.getCurrentObservation().getContext().getParentObservation()).isSameAs(trigger);
		ran("one", RunOutcome.DONE, null);
		assertThat(this.observed.triggering(this.reconciler, new ObjectKey("web", "one"))).isNull();
	}

	@ParameterizedTest
	@CsvSource({ "201,apply,", "409,apply,", "404,delete,", "404,patch,HTTP 404", "422,apply,HTTP 422" })
	void writeShouldHaveVerbResourceAndStatus(int status, String verb, String error) {
		record();
		begin("one");
		RunScope.WriteScope write = write(verb);
		write.answered(status);
		write.close();
		assertThat(this.recorder.stopped).containsExactly(
				"kubernetes.reconciler.write [exception=none, reconciler=podReconciler, resource=configmaps, status=%d, verb=%s]"
					.formatted(status, verb));
		assertThat(this.recorder.names).containsExactly(verb + " configmaps");
		assertThat(this.recorder.errors).isEqualTo((error != null) ? List.of(error) : List.of());
		ran("one", RunOutcome.DONE, null);
	}

	@ParameterizedTest
	@CsvSource({ "SILENT,silent", "IO,io", ",cancelled" })
	void writeWithoutAnAnswerShouldHaveTheKindOfItsFailure(Problem problem, String status) {
		record();
		begin("one");
		RunScope.WriteScope write = write("create");
		write.unanswered(problem, new IOException("s3cret"));
		write.close();
		assertThat(this.recorder.stopped).singleElement()
			.asString()
			.contains("status=" + status, "exception=IOException");
		assertThat(this.recorder.errors).containsExactly("java.io.IOException");
		ran("one", RunOutcome.ERROR, new IOException("s3cret"));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void objectShouldBeNamedOnlyIfThatIsSwitchedOn(boolean named) {
		record();
		ObservedReconcilers listener = new ObservedReconcilers(() -> this.registry, () -> null, () -> null, () -> false,
				() -> named);
		RunScope run = listener.running(this.reconciler,
				new RunScope.Start(new ObjectKey("web", "one"), 1, false, null));
		RunScope.Write created = new RunScope.Write("create", "configmaps", new ObjectKey("web", ""));
		run.writing(created, (header, value) -> {
		}).close();
		run.close();
		assertThat(this.recorder.highCardinality)
			.isEqualTo(named ? List.of("[namespace=web]", "[name=one, namespace=web]") : List.of("[]", "[]"));
	}

	@Test
	void failureOfAnObservationShouldBeNoneOfTheReconciler() {
		this.registry.observationConfig().observationHandler(new Failing());
		for (int i = 0; i < 2; i++) {
			begin("one");
			write("apply").close();
			ran("one", RunOutcome.ERROR, new IllegalStateException());
		}
		assertThat(this.registry.getCurrentObservation()).isNull();
	}

	@Test
	void withoutObservationsRunsShouldStayAsTheyAre() {
		ReconcileFunction<V1Pod> function = (pod, run) -> Result.done();
		ObservedReconcilers none = new ObservedReconcilers(() -> ObservationRegistry.NOOP, () -> null, () -> false);
		assertThat(none.decorate(function, "r", ResourceType.of(V1Pod.class), false)).isSameAs(function);
		assertThat(none.running(this.reconciler, new RunScope.Start(new ObjectKey("web", "one"), 1, false, null)))
			.isNull();
	}

	private RunScope.WriteScope write(String verb) {
		return this.scopes.peek()
			.writing(new RunScope.Write(verb, "configmaps", new ObjectKey("web", "child")), (header, value) -> {
			});
	}

	private void record() {
		this.registry.observationConfig().observationHandler(this.recorder);
	}

	private void begin(String name) {
		begin(name, false, null);
	}

	private void begin(String name, boolean cleanup, Object origin) {
		RunScope scope = this.observed.running(this.reconciler,
				new RunScope.Start(new ObjectKey("web", name), 1, cleanup, origin));
		if (scope != null) {
			this.scopes.push(scope);
		}
	}

	private void ran(String name, RunOutcome outcome, Throwable error) {
		RunScope scope = this.scopes.pop();
		scope.ended(ended(name, outcome, error));
		scope.close();
	}

	private static ReconcileRun ended(String name, RunOutcome outcome, Throwable error) {
		return new ReconcileRun(new ObjectKey("web", name), 1, false, QueueLane.LIVE, Duration.ZERO, Duration.ZERO,
				outcome, error);
	}

	static final class Recorder implements ObservationHandler<Observation.Context> {

		private final List<String> stopped = new ArrayList<>();

		private final List<String> names = new ArrayList<>();

		private final List<String> errors = new ArrayList<>();

		private final List<String> highCardinality = new ArrayList<>();

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
			this.highCardinality.add(context.getHighCardinalityKeyValues()
				.stream()
				.map((KeyValue tag) -> tag.getKey() + "=" + tag.getValue())
				.toList()
				.toString());
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
