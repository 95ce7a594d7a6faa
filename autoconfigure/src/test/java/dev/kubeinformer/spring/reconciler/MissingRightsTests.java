package dev.kubeinformer.spring.reconciler;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.AppsV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.Config;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.RequiredRbac;
import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.RunOutcome;
import dev.kubeinformer.spring.FakeReconciler;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests of {@link MissingRights} with refusals of the embedded API.
 */
class MissingRightsTests {

	private static final RequiredRbac PATCH_PODS = new RequiredRbac("", "pods", List.of(), List.of("patch"), "web");

	private final FakeReconciler reconciler = FakeReconciler.ofPods("pods").failing(1);

	private final MissingRights rights = new MissingRights();

	@Test
	void ruleShouldBeReadFromTheRefusal() throws Exception {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().user("shop", "token").start()) {
			CoreV1Api core = new CoreV1Api(Config.fromToken(kubernetes.url(), "token", false));
			AppsV1Api apps = new AppsV1Api(core.getApiClient());
			failed("one", refusal(() -> core.patchNamespacedPod("one", "web", new V1Patch("{}")).execute()));
			failed("one", refusal(() -> core.patchNamespacedPodStatus("one", "web", new V1Patch("{}")).execute()));
			failed("two",
					new IllegalStateException(refusal(() -> apps
						.createNamespacedDeployment("web", new V1Deployment().metadata(new V1ObjectMeta().name("d")))
						.execute())));
			failed("three", refusal(() -> core.readNode("n1").execute()));
		}
		assertThat(this.rights.of(this.reconciler)).containsExactly(PATCH_PODS,
				new RequiredRbac("", "pods/status", List.of(), List.of("patch"), "web"),
				new RequiredRbac("apps", "deployments", List.of(), List.of("create"), "web"),
				new RequiredRbac("", "nodes", List.of(), List.of("get"), null));
	}

	@Test
	void rightShouldBeMissingUntilTheObjectIsReconciled() {
		failed("one", forbidden("web"));
		ran("two", RunOutcome.DONE, null);
		ran("one", RunOutcome.CONFLICT, new ApiException(409, "conflict"));
		assertThat(this.rights.of(this.reconciler)).containsExactly(PATCH_PODS);
		ran("one", RunOutcome.REQUEUE, null);
		assertThat(this.rights.of(this.reconciler)).isEmpty();
	}

	@Test
	void rightShouldNotBeMissingWhenNothingFails() {
		failed("one", forbidden("web"));
		this.reconciler.failing(0);
		assertThat(this.rights.of(this.reconciler)).isEmpty();
	}

	@Test
	void rightsOfOtherReconcilersShouldBeTheirs() {
		failed("one", forbidden("web"));
		assertThat(this.rights.of(FakeReconciler.ofPods("pods").failing(1))).isEmpty();
	}

	@Test
	void numberOfRightsShouldBeBounded() {
		for (int i = 0; i < 50; i++) {
			failed("one", forbidden("web-" + i));
		}
		assertThat(this.rights.of(this.reconciler)).hasSize(20);
	}

	@Test
	void whatIsNoRefusalByRbacShouldBeIgnored() {
		failed("one", new ApiException(403, Map.of(), "{\"message\":\"exceeded quota: s3cret\"}"));
		failed("one", new ApiException(403, "no body"));
		failed("one", new ApiException(404, Map.of(), body("web")));
		failed("one", new IllegalStateException(body("web")));
		assertThat(this.rights.of(this.reconciler)).isEmpty();
	}

	private static ApiException refusal(Request request) {
		ApiException refusal = catchThrowableOfType(ApiException.class, request::execute);
		assertThat(refusal.getCode()).isEqualTo(403);
		return refusal;
	}

	private static ApiException forbidden(String namespace) {
		return new ApiException(403, Map.of(), body(namespace));
	}

	private static String body(String namespace) {
		return "{\"message\":\"pods \\\"one\\\" is forbidden: User \\\"shop\\\" cannot patch resource \\\"pods\\\""
				+ " in API group \\\"\\\" in the namespace \\\"" + namespace + "\\\"\"}";
	}

	private void failed(String name, Throwable error) {
		ran(name, RunOutcome.ERROR, error);
	}

	private void ran(String name, RunOutcome outcome, Throwable error) {
		this.rights.ran(this.reconciler, new ReconcileRun(new ObjectKey("web", name), 1, false, QueueLane.LIVE,
				Duration.ZERO, Duration.ZERO, outcome, error));
	}

	@FunctionalInterface
	private interface Request {

		void execute() throws ApiException;

	}

}
