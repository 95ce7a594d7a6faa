package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.jayway.jsonpath.JsonPath;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.kubeinformer.controller.FailingFunction;
import dev.kubeinformer.controller.FailingKey;
import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerListener;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.controller.ReconcilerSource;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.ReconcilerState;
import dev.kubeinformer.controller.ReconcilerStatus;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.controller.RunOutcome;
import dev.kubeinformer.controller.WatchedResource;
import dev.kubeinformer.spring.FakeReconciler;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.types.FailedWrite;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what the endpoint answers over HTTP about reconcilers.
 */
@Tag("slow")
class ReconcilerEndpointHttpTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private EndpointApplication application;

	@AfterEach
	void close() {
		if (this.application != null) {
			this.application.close();
		}
		this.kubernetes.close();
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void reconcilersShouldBeShownAndSteeredOnBothWebStacks(WebApplicationType type) {
		run(type, EndpointApplication.UNRESTRICTED);
		assertThat(this.application.<List<String>>read("", "$.reconcilers[*].id")).containsExactly("nodeReconciler",
				"podReconciler");
		assertThat(this.application.<String>read("/podReconciler", "$.state")).isEqualTo("ACTIVE");
		for (String action : List.of("pause", "RESUME", "TRIGGER", "STOP", "START")) {
			assertThat(this.application.act("podReconciler", action).statusCode()).as(action).isEqualTo(200);
		}
		trigger("podReconciler", "web/one", 200);
		trigger("nodeReconciler", "n1", 200);
		assertThat(reconciler("podReconciler").calls()).containsExactly("pause", "resume", "trigger all", "stop",
				"start", "trigger web/one");
		assertThat(reconciler("nodeReconciler").calls()).containsExactly("trigger n1");
		assertThat(JsonPath.<String>read(this.application.act("podReconciler", "PAUSE").body(), "$.state"))
			.isEqualTo("PAUSED");
	}

	@Test
	void reconcilerShouldBeDescribed() {
		run(WebApplicationType.SERVLET);
		reconciler("podReconciler").synced(true)
			.failing(
					new FailingKey(new ObjectKey("web", "one"), 7, Instant.parse("2026-11-22T09:00:00Z"),
							Instant.parse("2026-11-22T09:05:00Z"), "java.io.IOException"),
					new FailingKey(new ObjectKey("web", "two"), 1, Instant.parse("2026-11-22T09:01:00Z"), null,
							"java.lang.Error", true,
							new FailedWrite("patch", "deployments.apps", "Deployment", new ObjectKey("web", "child"),
									422, "Invalid", "", List.of("spec.selector"))))
			.failingFunctions(new FailingFunction(FailingFunction.Kind.MAPPER, "configmaps", 3,
					Instant.parse("2026-11-22T09:02:00Z"), "web/map", "java.lang.IllegalStateException"))
			.runs(new ReconcilerStatus.Runs(12, 4, Duration.ofSeconds(90), 8, 3, 2, 1, "java.lang.Error web/two"));
		assertThat(this.application.<Map<String, Object>>read("/podReconciler", "$")).isEqualTo(
				Map.ofEntries(Map.entry("id", "podReconciler"), Map.entry("primary", "pods"),
						Map.entry("owned", List.of("deployments.apps")), Map.entry("watched", List.of("configmaps")),
						Map.entry("state", "ACTIVE"), Map.entry("since", "2026-11-22T10:00:00Z"),
						Map.entry("autoStartup", true), Map.entry("readiness", true), Map.entry("leaderOnly", false),
						Map.entry("standby", false), Map.entry("synced", true),
						Map.entry("sources",
								List.of(Map.of("informer", "pods", "resource", "pods", "role", "PRIMARY", "state",
										"LIVE", "synced", true))),
						Map.entry("queue",
								Map.of("ready", Map.of("LIVE", 3, "RETRY", 1, "INITIAL", 0), "oldestReadyAge", "7s",
										"delayed", 4, "parked", 2, "slowed", 0, "waiting", 0)),
						Map.entry("running", 4), Map.entry("longestRunning", "90s"),
						Map.entry("runs", Map.of("total", 12, "failed", 8, "conflicts", 3, "ownWriteTimeouts", 2)),
						Map.entry("loops", 1), Map.entry("failingKeys", 2),
						Map.entry("longestFailing", List.of(
								Map.of("key", "web/one", "attempts", 7, "since", "2026-11-22T09:00:00Z", "nextAttempt",
										"2026-11-22T09:05:00Z", "exception", "java.io.IOException", "cleanup", false),
								Map.of("key", "web/two", "attempts", 1, "since", "2026-11-22T09:01:00Z", "exception",
										"java.lang.Error", "cleanup", true, "write",
										Map.of("verb", "patch", "resource", "deployments.apps", "kind", "Deployment",
												"key", "web/child", "httpStatus", 422, "reason", "Invalid", "fields",
												List.of("spec.selector"))))),
						Map.entry("failingFunctions",
								List.of(Map.of("kind", "MAPPER", "resource", "configmaps", "objects", 3, "failedAt",
										"2026-11-22T09:02:00Z", "key", "web/map", "exception",
										"java.lang.IllegalStateException"))),
						Map.entry("lastError", "java.lang.Error web/two"), Map.entry("requiredRbac", List.of()),
						Map.entry("settings",
								Map.of("namespaces", List.of("web"), "labelSelector", "app=shop", "concurrency", 8,
										"resync", "10h", "timeout", "5m", "minInterval", "0s", "ownWritesTimeout",
										"10s", "fieldManager", "podReconciler", "finalizer", "example.com/pods"))));
	}

	@Test
	void reconcilerThatWasNeverStartedShouldBeDescribed() {
		run(WebApplicationType.SERVLET);
		reconciler("nodeReconciler").state(ReconcilerState.NEW);
		assertThat(this.application.<Map<String, Object>>read("/nodeReconciler", "$")).containsEntry("state", "NEW")
			.containsEntry("synced", false)
			.containsEntry("sources", List.of())
			.doesNotContainKeys("since", "lastError");
	}

	@Test
	void whatCannotBeDoneShouldBeRefusedWithTheMend() {
		run(WebApplicationType.SERVLET, EndpointApplication.UNRESTRICTED);
		assertRefused(this.application.act("podReconciler", "RESYNC"), 400, "'podReconciler' is a reconciler",
				"TRIGGER");
		assertRefused(this.application.act("podReconciler", "EXPLODE"), 400, "'EXPLODE'",
				"[PAUSE, RESUME, START, STOP, TRIGGER]");
		assertRefused(this.application.post("/podReconciler", "{}"), 400, "no 'action'",
				"[PAUSE, RESUME, START, STOP, TRIGGER]");
		assertRefused(this.application.act("podHandler", "TRIGGER"), 400, "TRIGGER is for reconcilers",
				"[PAUSE, RESUME, RESYNC, START, STOP]");
		assertRefused(this.application.post("/podHandler", "{\"action\":\"RESYNC\",\"key\":\"web/one\"}"), 400,
				"RESYNC takes no 'key'", "'web/one'");
		assertRefused(this.application.post("/podReconciler", "{\"action\":\"PAUSE\",\"key\":\"web/one\"}"), 400,
				"PAUSE takes no 'key'", "'web/one'", "TRIGGER");
		for (String key : List.of("one", "web/", "/one", "a/b/c")) {
			assertRefused(trigger("podReconciler", key, 400), 400, "'" + key + "'", "'namespace/name'");
		}
		assertRefused(trigger("nodeReconciler", "web/n1", 400), 400, "'web/n1'", "cluster-scoped", "'name'");
		assertRefused(this.application.act("nobody", "TRIGGER"), 404, "'nobody'", "no reconciler");
		assertRefused(this.application.act("rbac", "TRIGGER"), 400, "[podHandler]", "[nodeReconciler, podReconciler]");
		assertThat(reconciler("podReconciler").calls()).isEmpty();
		reconciler("podReconciler").state(ReconcilerState.STOPPED);
		for (String action : List.of("PAUSE", "RESUME", "TRIGGER")) {
			assertRefused(this.application.act("podReconciler", action), 409, "'podReconciler' is stopped", "START");
		}
	}

	@Test
	void actionWithoutUnrestrictedAccessShouldBeRefused() {
		run(WebApplicationType.SERVLET);
		assertThat(this.application.act("podReconciler", "TRIGGER").statusCode()).isEqualTo(405);
		assertThat(reconciler("podReconciler").calls()).isEmpty();
	}

	@Test
	void rightThatWasRefusedShouldShowAtTheReconcilerAndInTheRules() {
		run(WebApplicationType.SERVLET);
		FakeReconciler reconciler = reconciler("podReconciler").failing(1);
		ReconcileRun run = new ReconcileRun(new ObjectKey("web", "one"), 1, false, QueueLane.LIVE, Duration.ZERO,
				Duration.ZERO, RunOutcome.ERROR, new ApiException(403, Map.of(),
						"{\"message\":\"cannot create resource \\\"jobs\\\" in API group \\\"batch\\\" in the namespace \\\"web\\\"\"}"));
		this.application.context()
			.getBeanProvider(ReconcilerListener.class)
			.forEach((listener) -> listener.ran(reconciler, run));
		assertThat(this.application.<List<String>>read("/podReconciler", "$.requiredRbac")).containsExactly(
				"Role in namespace 'web' with apiGroups: [\"batch\"], resources: [\"jobs\"], verbs: [\"create\"]");
		assertThat(this.application.get("/rbac").body()).contains("- jobs");
	}

	private HttpResponse<String> trigger(String id, String key, int status) {
		HttpResponse<String> response = this.application.post("/" + id,
				"{\"action\":\"TRIGGER\",\"key\":\"" + key + "\"}");
		assertThat(response.statusCode()).as(key).isEqualTo(status);
		return response;
	}

	private static void assertRefused(HttpResponse<String> response, int status, String... words) {
		assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
		assertThat(JsonPath.<String>read(response.body(), "$.error")).contains(words);
	}

	private FakeReconciler reconciler(String id) {
		return (FakeReconciler) this.application.bean(ReconcilerRegistry.class).get(id);
	}

	private void run(WebApplicationType type, String... properties) {
		List<String> all = new ArrayList<>(List.of(properties));
		all.add("kubernetes.client.url=" + this.kubernetes.url());
		this.application = EndpointApplication.run(type, List.of(Reconcilers.class, PodHandler.class),
				all.toArray(String[]::new));
	}

	@Configuration(proxyBeanMethods = false)
	static class Reconcilers {

		@Bean
		ReconcilerRegistry reconcilerRegistry() {
			ReconcilerSpec<V1Pod> pods = ReconcilerSpec.of("podReconciler", V1Pod.class, (pod, run) -> Result.done())
				.withNamespaces("web")
				.withLabelSelector("app=shop")
				.withOwned(V1Deployment.class)
				.withWatched(WatchedResource.of(V1ConfigMap.class, (config) -> null))
				.withCleanup("example.com/pods", (pod, run) -> Result.done())
				.withConcurrency(8);
			return FakeReconciler.registry(
					new FakeReconciler(pods).state(ReconcilerState.ACTIVE)
						.sources(new ReconcilerSource("pods", "pods", ReconcilerSource.Role.PRIMARY, InformerState.LIVE,
								Instant.EPOCH, true, null, null)),
					new FakeReconciler(ReconcilerSpec.of("nodeReconciler", V1Node.class, (node, run) -> Result.done()))
						.state(ReconcilerState.ACTIVE));
		}

	}

	@InformerHandler(id = "podHandler")
	static class PodHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

}
