package dev.kubeinformer.spring.autoconfigure.health;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.FailingFunction;
import dev.kubeinformer.controller.FailingKey;
import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.controller.ReconcilerSource;
import dev.kubeinformer.controller.ReconcilerState;
import dev.kubeinformer.controller.ReconcilerStatus;
import dev.kubeinformer.controller.RunOutcome;
import dev.kubeinformer.spring.FakeReconciler;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.reconciler.MissingRights;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.FailedWrite;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of what health says of reconcilers, whose informers are real ones.
 */
class ReconcilerHealthTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final FakeReconciler reconciler = FakeReconciler.ofPods("podReconciler")
		.state(ReconcilerState.SYNCING)
		.sources(source("pods", InformerState.SYNCING, false, null, null));

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes)
		.withConfiguration(AutoConfigurations.of(InformerHealthContributorAutoConfiguration.class))
		.withBean(ReconcilerRegistry.class, () -> FakeReconciler.registry(this.reconciler));

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void reconcilerShouldHaveAChildAndTheInformersOfItsSourcesNoOther() {
		this.runner.withBean(PodReader.class)
			.withBean(NodeReader.class)
			.run((context) -> assertThat(children(context)).containsOnlyKeys("podReconciler", "nodes"));
	}

	@Test
	void informersOfAReconcilerThatWasStoppedShouldHaveNoChildrenOfTheirOwn() {
		this.runner.withBean(PodReader.class).run((context) -> {
			this.reconciler.state(ReconcilerState.STOPPED);
			assertThat(children(context)).containsOnlyKeys("podReconciler");
			this.reconciler.sources();
			assertThat(children(context)).containsOnlyKeys("podReconciler");
		});
	}

	@Test
	void healthShouldWaitForTheReconcilerAlthoughTheCachesAreThere() {
		this.runner.withBean(PodReader.class).run((context) -> {
			awaitWatched(context);
			assertThat(health(context).getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
			this.reconciler.synced(true).state(ReconcilerState.ACTIVE);
			assertThat(health(context).getStatus()).isEqualTo(Status.UP);
		});
	}

	@Test
	void shardOfThePrimariesShouldBeADetail() {
		this.kubernetes.resources(V1Pod.class).fill(30, (i) -> TestObjects.pod("web", "p" + i));
		this.reconciler.synced(true)
			.state(ReconcilerState.ACTIVE)
			.sources(source("pods-uid-2-of-3", InformerState.LIVE, true, null, null));
		this.runner.withBean(PodReader.class)
			.withPropertyValues("kubernetes.informers.shard.key=uid", "kubernetes.informers.shard.index=2",
					"kubernetes.informers.shard.total=3")
			.run((context) -> await()
				.untilAsserted(() -> assertThat(health(context).getDetails()).containsEntry("shard", "2/3 by uid")
					.containsEntry("shardMode", "CLIENT")));
	}

	@Test
	void healthOfAReconcilerWithAForbiddenSourceShouldBeDownAndNameTheRule() {
		this.kubernetes.faults().on(Requests.of("pods")).forbid();
		this.reconciler.sources(source("pods", InformerState.FORBIDDEN, false, "s3cret words", "the rule"));
		this.runner.withBean(PodReader.class).run((context) -> {
			await().until(() -> informerState(context) == InformerState.FORBIDDEN);
			Health health = health(context);
			assertThat(health.getStatus()).isEqualTo(Status.DOWN);
			assertThat(health.getDetails()).containsEntry("synced", false)
				.containsEntry("requiredRbac", List.of("the rule"));
			assertThat(health.getDetails().get("notSynced").toString())
				.contains("informer=pods", "role=PRIMARY", "state=FORBIDDEN", "httpStatus=403", "verb=")
				.doesNotContain("s3cret");
		});
	}

	@Test
	void healthOfAReconcilerWhoseInformerIsNotKnownShouldBeThatOfItsSource() {
		this.runner.run((context) -> {
			assertThat(health(context).getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
			this.reconciler.sources(source("other", InformerState.NOT_FOUND, false, null, null));
			assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
			this.reconciler.sources(source("other", InformerState.LIVE, true, null, null)).synced(true);
			assertThat(health(context).getStatus()).isEqualTo(Status.UP);
		});
	}

	@Test
	void healthShouldStayUpInAnOutage() {
		this.reconciler.synced(true).state(ReconcilerState.ACTIVE);
		this.runner.withBean(PodReader.class).run((context) -> {
			awaitWatched(context);
			this.kubernetes.stopServing();
			await().until(() -> informerState(context) == InformerState.STALE);
			assertThat(health(context).getStatus()).isEqualTo(Status.UP);
		});
	}

	@Test
	void healthShouldBeDownWhenASourceIsStaleForLongerThanItMayBe() {
		this.reconciler.synced(true).state(ReconcilerState.ACTIVE);
		this.runner.withBean(PodReader.class)
			.withPropertyValues("kubernetes.informers.health.stale-after=1ms")
			.run((context) -> {
				awaitWatched(context);
				this.kubernetes.stopServing();
				await().until(() -> health(context).getStatus().equals(Status.DOWN));
			});
	}

	@ParameterizedTest
	@EnumSource(names = { "NEW", "PAUSED", "STOPPED" })
	void healthOfAReconcilerThatDoesNotRunShouldBeUnknown(ReconcilerState state) {
		this.runner.run((context) -> {
			this.reconciler.synced(true).state(state);
			assertThat(health(context).getStatus()).isEqualTo(Status.UNKNOWN);
			assertThat(health(context).getDetails()).containsEntry("state", state.name());
		});
	}

	@Test
	void failingKeysShouldShowAndNotMakeTheReconcilerFail() {
		this.reconciler.synced(true)
			.state(ReconcilerState.ACTIVE)
			.sources(source("other", InformerState.LIVE, true, null, null))
			.failing(5)
			.slowed(2)
			.waiting(6)
			.runs(new ReconcilerStatus.Runs(9, 4, Duration.ofSeconds(90), 5, 0, 0, 0, "java.io.IOException web/one"));
		this.runner.run((context) -> {
			Health health = health(context);
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsExactlyInAnyOrderEntriesOf(Map.ofEntries(
					Map.entry("resource", "pods"), Map.entry("namespaces", List.of("*")), Map.entry("synced", true),
					Map.entry("state", "ACTIVE"), Map.entry("since", "2026-11-22T10:00:00Z"),
					Map.entry("queued", Map.of("live", 3, "retry", 1, "initial", 0)), Map.entry("parked", 2),
					Map.entry("failingKeys", 5), Map.entry("slowedKeys", 2), Map.entry("waiting", 6),
					Map.entry("oldestReadyAge", "7s"), Map.entry("running", 4), Map.entry("longestRunning", "90s")));
		});
	}

	@Test
	void writeThatFailsShouldBeNamedWithTheReasonAndTheFields() {
		FailedWrite write = new FailedWrite("patch", "deployments.apps", "Deployment", new ObjectKey("web", "child"),
				422, "Invalid", "policy 'teams'", List.of("spec.selector"));
		this.reconciler.synced(true)
			.state(ReconcilerState.ACTIVE)
			.sources()
			.failing(new FailingKey(new ObjectKey("web", "one"), 7, Instant.parse("2026-11-22T09:00:00Z"), null,
					"dev.kubeinformer.types.WriteFailedException (HTTP 422)", true, write));
		this.runner.run((context) -> assertThat(health(context).getDetails()).containsEntry("longestFailing",
				List.of(Map.of("object", "web/one", "since", "2026-11-22T09:00:00Z", "exception",
						"dev.kubeinformer.types.WriteFailedException (HTTP 422)", "cleanup", true, "write",
						"patch deployments.apps 'web/child'", "answer",
						"HTTP 422 Invalid by policy 'teams': spec.selector"))));
	}

	@Test
	void functionsThatFailShouldBeShown() {
		this.reconciler.synced(true)
			.state(ReconcilerState.ACTIVE)
			.sources()
			.failingFunctions(new FailingFunction(FailingFunction.Kind.MAPPER, "secrets", 3, Instant.EPOCH, "web/oil",
					"java.lang.IllegalStateException"));
		this.runner.run((context) -> {
			assertThat(health(context).getStatus()).isEqualTo(Status.UP);
			assertThat(health(context).getDetails().get("failingFunctions")).hasToString(
					"[{kind=MAPPER, resource=secrets, objects=3, key=web/oil, exception=java.lang.IllegalStateException, failedAt=1970-01-01T00:00:00Z}]");
			this.reconciler.failingFunctions();
			assertThat(health(context).getDetails()).doesNotContainKey("failingFunctions");
		});
	}

	@Test
	void rightThatARunWasRefusedShouldShowUntilTheObjectIsReconciled() {
		this.reconciler.synced(true).state(ReconcilerState.ACTIVE).sources().failing(1);
		this.runner.run((context) -> {
			MissingRights rights = context.getBean(MissingRights.class);
			rights.ran(this.reconciler, run(RunOutcome.ERROR, new ApiException(403, Map.of(),
					"{\"message\":\"pods \\\"one\\\" is forbidden: User \\\"shop\\\" cannot patch resource \\\"pods\\\" in API group \\\"\\\" in the namespace \\\"web\\\"\"}")));
			assertThat(health(context).getStatus()).isEqualTo(Status.UP);
			assertThat(health(context).getDetails()).containsEntry("requiredRbac", List
				.of("ClusterRole with apiGroups: [\"\"], resources: [\"pods\"], verbs: [\"get\", \"list\", \"watch\", \"patch\"]"));
			rights.ran(this.reconciler, run(RunOutcome.DONE, null));
			assertThat(health(context).getDetails()).doesNotContainKey("requiredRbac");
		});
	}

	private static ReconcileRun run(RunOutcome outcome, Throwable error) {
		return new ReconcileRun(new ObjectKey("web", "one"), 1, true, QueueLane.LIVE, Duration.ZERO, Duration.ZERO,
				outcome, error);
	}

	private static ReconcilerSource source(String informer, InformerState state, boolean synced, String error,
			String requiredRbac) {
		return new ReconcilerSource(informer, "pods", ReconcilerSource.Role.PRIMARY, state, Instant.EPOCH, synced,
				error, requiredRbac);
	}

	private static Map<String, HealthIndicator> children(ApplicationContext context) {
		return context.getBean(InformersHealthContributor.class).children();
	}

	private static Health health(ApplicationContext context) {
		return children(context).get("podReconciler").health();
	}

	private static InformerState informerState(ApplicationContext context) {
		return context.getBean(Informers.class).informer(V1Pod.class).state();
	}

	private static void awaitWatched(ApplicationContext context) {
		await().until(() -> context.getBean(Informers.class).informer(V1Pod.class).status().watch().everWatched());
	}

	static class PodReader {

		PodReader(Lister<V1Pod> pods) {
		}

	}

	static class NodeReader {

		NodeReader(Lister<V1Node> nodes) {
		}

	}

}
