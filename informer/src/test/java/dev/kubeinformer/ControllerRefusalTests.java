package dev.kubeinformer;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.kubernetes.client.openapi.ApiException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerSpec.Retry;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.controller.RunOutcome;
import dev.kubeinformer.test.Fault;
import dev.kubeinformer.test.Requests;

import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what a reconciler does about patches of its finalizer that the API server
 * refuses. The answers are those of kube-apiserver 1.36.
 */
class ControllerRefusalTests {

	private static final Duration LONG = WidgetWorld.LONG;

	private static final String FINALIZER = "example.com/widgets";

	private static final String POLICY = """
			{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"widgets.example.com \\"a\\" \
			is forbidden: ValidatingAdmissionPolicy 'p1' with binding 'p1' denied request: team label is missing",\
			"reason":"Invalid","details":{"name":"a","group":"example.com","kind":"widgets","causes":[{"message":\
			"ValidatingAdmissionPolicy 'p1' with binding 'p1' denied request: team label is missing"}]},"code":422}""";

	private static final String FAILED_TEST = """
			{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"the server rejected our \
			request due to an error in our request","reason":"Invalid","details":{},"code":422}""";

	private final WidgetWorld world = new WidgetWorld();

	private final AtomicInteger cleanups = new AtomicInteger();

	@AfterEach
	void stop() {
		this.world.close();
	}

	@Test
	void refusedRemovalOfAFinalizerShouldBackOffAndNotRepeatTheCleanup() throws InterruptedException {
		ReconcilerContainer container = startWith("a");
		Fault policy = this.world.api.faults().on(Requests.patch("widgets")).body(422, "application/json", POLICY);
		this.world.delete("a");
		await().until(() -> policy.hits() >= 3);
		assertThat(container.status().runs().conflicts()).isZero();
		assertThat(this.world.runs).last().satisfies((run) -> {
			assertThat(run.cleanup()).isTrue();
			assertThat(run.outcome()).isEqualTo(RunOutcome.ERROR);
		});
		assertThat(container.status().failing()).hasSize(1);
		policy.remove();
		await().until(() -> this.world.get("a") == null);
		assertThat(this.cleanups).hasValue(1);
	}

	@Test
	void refusedFinalizerShouldBackOffAsAnyFailureDoes() throws InterruptedException {
		ReconcilerContainer container = startWith();
		Fault policy = this.world.api.faults().on(Requests.patch("widgets")).body(422, "application/json", POLICY);
		this.world.create("a");
		await().until(() -> policy.hits() >= 2);
		assertThat(container.status().runs().conflicts()).isZero();
		assertThat(this.world.outcomes()).containsOnly(RunOutcome.ERROR);
		policy.remove();
		await().until(() -> this.world.outcomes().contains(RunOutcome.DONE));
	}

	@Test
	void serverErrorsAtTheRemovalOfAFinalizerShouldNotRepeatTheCleanup() throws InterruptedException {
		startWith("a");
		Fault errors = this.world.api.faults().on(Requests.patch("widgets")).times(4).status(500);
		this.world.delete("a");
		await().until(() -> this.world.get("a") == null);
		assertThat(errors.hits()).isEqualTo(4);
		assertThat(this.cleanups).hasValue(1);
	}

	@Test
	void failedTestOfAPatchShouldBeAConflictAndNotRepeatTheCleanup() throws InterruptedException {
		ReconcilerContainer container = startWith("a");
		this.world.api.faults().on(Requests.patch("widgets")).times(2).body(422, "application/json", FAILED_TEST);
		this.world.delete("a");
		await().until(() -> this.world.get("a") == null);
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(container.status().runs().conflicts()).isEqualTo(2);
		assertThat(container.status().runs().failed()).isZero();
		assertThat(this.cleanups).hasValue(1);
	}

	@Test
	void conflictOfEveryRunShouldBackOffFromTheTenthOn() throws InterruptedException {
		Retry quick = new Retry(Duration.ofMillis(20), 2, LONG, 0);
		this.world.create("a");
		ReconcilerContainer container = this.world.start((widget, run) -> {
			throw new ApiException(409, "Conflict");
		}, (spec) -> spec.withRetry(quick));
		await().until(() -> container.status().failing().stream().anyMatch((key) -> key.attempts() >= 4));
		List<RunOutcome> outcomes = List.copyOf(this.world.outcomes());
		assertThat(outcomes.subList(0, 9)).containsOnly(RunOutcome.CONFLICT);
		assertThat(outcomes.subList(9, outcomes.size())).containsOnly(RunOutcome.ERROR);
	}

	@Test
	void objectThatIsMadeAgainShouldBeCleanedUpAgain() throws InterruptedException {
		ReconcilerContainer container = startWith("a");
		Fault errors = this.world.api.faults().on(Requests.patch("widgets")).status(500);
		this.world.delete("a");
		await().until(() -> errors.hits() >= 1);
		// Somebody removes the finalizer by hand.
		this.world.widgets.edit("web", "a", (widget) -> widget.getMetadata().setFinalizers(null));
		errors.remove();
		await().until(() -> this.world.get("a") == null);
		this.world.create("a");
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.get("a").getMetadata().getFinalizers()).containsExactly(FINALIZER);
		this.world.delete("a");
		await().until(() -> this.world.get("a") == null);
		assertThat(this.cleanups).hasValue(2);
	}

	private ReconcilerContainer startWith(String... names) throws InterruptedException {
		List.of(names).forEach(this.world::create);
		Retry quick = new Retry(Duration.ofMillis(20), 1.5, Duration.ofMillis(200), 0);
		ReconcilerContainer container = this.world.start((widget, run) -> Result.done(),
				(spec) -> spec.withRetry(quick).withCleanup(FINALIZER, (widget, run) -> {
					this.cleanups.incrementAndGet();
					return Result.done();
				}));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.runs).noneMatch(ReconcileRun::cleanup);
		this.world.runs.clear();
		return container;
	}

}
