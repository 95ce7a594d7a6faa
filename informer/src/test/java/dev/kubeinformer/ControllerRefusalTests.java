package dev.kubeinformer;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.EventsV1Event;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
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

	private static final String JSON = "application/json";

	private static final String POLICY = """
			{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"widgets.example.com \\"a\\" \
			is forbidden: ValidatingAdmissionPolicy 'p1' with binding 'p1' denied request: team label is missing",\
			"reason":"Invalid","details":{"name":"a","group":"example.com","kind":"widgets","causes":[{"message":\
			"ValidatingAdmissionPolicy 'p1' with binding 'p1' denied request: team label is missing"}]},"code":422}""";

	private static final String FAILED_TEST = """
			{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"the server rejected our \
			request due to an error in our request","reason":"Invalid","details":{},"code":422}""";

	private static final String IMMUTABLE = """
			{"kind":"Status","status":"Failure","message":"ConfigMap \\"b\\" is invalid: data: Forbidden: field is immutable \
			when `immutable` is set","reason":"Invalid","details":{"name":"b","kind":"ConfigMap","causes":[{"reason":\
			"FieldValueForbidden","message":"Forbidden: field is immutable when `immutable` is set","field":"data"}]},\
			"code":422}""";

	private static final String QUOTED_SECRET = """
			{"kind":"Status","status":"Failure","message":" \\"\\" is invalid: patch: Invalid value: \\"{\\\\\\"data\\\\\\":\
			{\\\\\\"a\\\\\\":\\\\\\"dG9wc2VjcmV0\\\\\\"}}\\": json: cannot unmarshal number","reason":"Invalid","details":{"causes":\
			[{"reason":"FieldValueInvalid","message":"Invalid value: \\"{\\\\\\"data\\\\\\":{\\\\\\"a\\\\\\":\\\\\\"dG9wc2VjcmV0\\\\\\"}}\\": json: \
			cannot unmarshal number","field":"patch"}]},"code":422}""";

	private static final Retry QUICK = new Retry(Duration.ofMillis(20), 1.5, Duration.ofMillis(200), 0);

	private final RecordedLog log = new RecordedLog("dev.kubeinformer.controller", "dev.kubeinformer.types");

	private final WidgetWorld world = new WidgetWorld();

	private final AtomicInteger cleanups = new AtomicInteger();

	@AfterEach
	void stop() {
		this.world.close();
		this.log.close();
	}

	@Test
	void refusedRemovalOfAFinalizerShouldBackOffAndNotRepeatTheCleanup() throws InterruptedException {
		ReconcilerContainer container = startWith("a");
		Fault policy = this.world.api.faults().on(Requests.patch("widgets")).body(422, JSON, POLICY);
		this.world.delete("a");
		await().until(() -> policy.hits() >= 3);
		assertThat(container.status().runs().conflicts()).isZero();
		assertThat(this.world.runs).last().satisfies((run) -> {
			assertThat(run.cleanup()).isTrue();
			assertThat(run.outcome()).isEqualTo(RunOutcome.ERROR);
		});
		assertThat(container.status().failing()).singleElement().satisfies((failing) -> {
			assertThat(failing.cleanup()).isTrue();
			assertThat(failing.exceptionClass()).isEqualTo("dev.kubeinformer.types.WriteFailedException (HTTP 422)");
			assertThat(failing.write()).hasToString("patch widgets.example.com 'web/a'");
			assertThat(failing.write().answer()).isEqualTo("HTTP 422 Invalid by policy 'p1'");
		});
		assertThat(this.log.warnings()).singleElement()
			.asString()
			.contains("removing the finalizer 'example.com/widgets' after the cleanup of 'web/a'",
					"PATCH widgets.example.com 'web/a': HTTP 422 Invalid", "'p1' denied request: team label is missing")
			.doesNotContain("at dev.kubeinformer");
		policy.remove();
		await().until(() -> this.world.get("a") == null);
		assertThat(this.cleanups).hasValue(1);
	}

	@Test
	void refusedFinalizerShouldBackOffAsAnyFailureDoes() throws InterruptedException {
		ReconcilerContainer container = startWith();
		Fault policy = this.world.api.faults().on(Requests.patch("widgets")).body(422, JSON, POLICY);
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
		this.world.api.faults().on(Requests.patch("widgets")).times(2).body(422, JSON, FAILED_TEST);
		this.world.delete("a");
		await().until(() -> this.world.get("a") == null);
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(container.status().runs().conflicts()).isEqualTo(2);
		assertThat(container.status().runs().failed()).isZero();
		assertThat(this.cleanups).hasValue(1);
	}

	@Test
	void refusedChildShouldBeNamedWithTheReasonInLogStatusAndEvent() throws InterruptedException {
		this.world.create("a");
		this.world.create("b");
		Fault webhook = this.world.api.faults()
			.on(Requests.patch("configmaps").named("a"))
			.body(400, JSON, "{\"kind\":\"Status\",\"message\":\"admission webhook \\\"deny.example.com\\\" "
					+ "denied the request: team label is missing\",\"code\":400}");
		this.world.api.faults().on(Requests.patch("configmaps").named("b")).body(422, JSON, IMMUTABLE);
		ReconcilerContainer container = this.world.start((widget, run) -> {
			run.apply(WidgetWorld.child(widget));
			return Result.done();
		}, (spec) -> spec.withOwned(V1ConfigMap.class).withRetry(QUICK));
		await().until(() -> webhook.hits() >= 3 && container.status().failing().size() == 2);
		assertThat(container.status().failing())
			.extracting((failing) -> failing.write() + ": " + failing.write().answer())
			.containsExactlyInAnyOrder("patch configmaps 'web/a': HTTP 400 by webhook 'deny.example.com'",
					"patch configmaps 'web/b': HTTP 422 Invalid: data");
		assertThat(container.status().runs().lastError()).contains("WriteFailedException", "configmaps 'web/");
		await().until(() -> this.log.warnings().size() == 2);
		assertThat(this.log.warnings()).anySatisfy((line) -> assertThat(line)
			.contains("denied the request: team label is missing", "at dev.kubeinformer.ControllerRefusalTests")
			.doesNotContain("at dev.kubeinformer.internal"));
		assertThat(this.log.warnings()).anySatisfy(
				(line) -> assertThat(line).contains("data: Forbidden: field is immutable when `immutable` is set"));
		List<EventsV1Event> events = this.world.api.resources(EventsV1Event.class).list("web");
		assertThat(events).extracting((event) -> event.getRegarding().getName()).containsExactlyInAnyOrder("a", "b");
		assertThat(events).allSatisfy((event) -> {
			assertThat(event.getType()).isEqualTo("Warning");
			assertThat(event.getReason()).isEqualTo("WriteRefused");
			assertThat(event.getNote()).startsWith("PATCH configmaps 'web/");
		});
	}

	@Test
	void refusalsThatNoChangeOfTheObjectMendsShouldMakeNoEvent() {
		this.world.create("a");
		Fault forbidden = this.world.api.faults().on(Requests.patch("configmaps")).times(2).forbid();
		this.world.start((widget, run) -> {
			run.apply(WidgetWorld.child(widget));
			return Result.done();
		}, (spec) -> spec.withOwned(V1ConfigMap.class).withRetry(QUICK));
		await().until(() -> this.world.outcomes().contains(RunOutcome.DONE));
		assertThat(forbidden.hits()).isEqualTo(2);
		assertThat(this.world.api.resources(EventsV1Event.class).list("web")).isEmpty();
	}

	@Test
	void valuesOfASecretShouldBeInNoLine() {
		this.world.create("a");
		Fault invalid = this.world.api.faults().on(Requests.patch("secrets")).body(422, JSON, QUOTED_SECRET);
		this.log.everything();
		this.world.start((widget, run) -> {
			run.apply(new V1Secret().metadata(new V1ObjectMeta().name("a")).putStringDataItem("a", "topsecret"));
			return Result.done();
		}, (spec) -> spec.withOwned(V1Secret.class).withRetry(QUICK));
		await().until(() -> invalid.hits() >= 2
				&& this.log.lines().stream().filter((line) -> line.contains("HTTP 422")).count() >= 3);
		assertThat(this.log.lines()).noneMatch((line) -> line.contains("topsecret") || line.contains("dG9wc2VjcmV0")
		// Not the rest of the message either.
				|| line.contains("cannot unmarshal"));
		assertThat(this.log.warnings())
			.anyMatch((line) -> line.contains("patch: Invalid value (text that may quote the Secret"));
		assertThat(this.world.api.resources(EventsV1Event.class).list("web"))
			.noneMatch((event) -> event.toString().contains("dG9wc2VjcmV0"));
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
		ReconcilerContainer container = this.world.start((widget, run) -> Result.done(),
				(spec) -> spec.withRetry(QUICK).withCleanup(FINALIZER, (widget, run) -> {
					this.cleanups.incrementAndGet();
					return Result.done();
				}));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.runs).noneMatch(ReconcileRun::cleanup);
		this.world.runs.clear();
		return container;
	}

}
