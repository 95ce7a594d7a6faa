package dev.kubeinformer.spring.reconciler;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.AppsV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.Config;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.controller.RunOutcome;
import dev.kubeinformer.informer.RequiredRbac;
import dev.kubeinformer.spring.FakeReconciler;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests of {@link MissingRights} with refusals of the embedded API.
 */
class MissingRightsTests {

	private static final List<String> OWNED = ReconcilerDetails.ALL_VERBS;

	private static final RequiredRbac PATCH_PODS = rule("", "pods", "web", "get", "list", "watch", "patch");

	private final FakeReconciler reconciler = in("web");

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
		assertThat(missing(this.reconciler)).containsExactly(PATCH_PODS, rule("", "pods/status", "web", "patch"),
				rule("apps", "deployments", "web", "create"), rule("", "nodes", null, "get"));
	}

	@Test
	void rightShouldBeMissingUntilTheObjectIsReconciled() {
		failed("one", forbidden("web"));
		ran("two", RunOutcome.DONE, null);
		ran("one", RunOutcome.CONFLICT, new ApiException(409, "conflict"));
		assertThat(missing(this.reconciler)).containsExactly(PATCH_PODS);
		ran("one", RunOutcome.REQUEUE, null);
		assertThat(missing(this.reconciler)).isEmpty();
	}

	@Test
	void rightShouldNotBeMissingWhenNothingFails() {
		failed("one", forbidden("web"));
		this.reconciler.failing(0);
		assertThat(missing(this.reconciler)).isEmpty();
	}

	@Test
	void rightsOfOtherReconcilersShouldBeTheirs() {
		failed("one", forbidden("web"));
		assertThat(missing(FakeReconciler.ofPods("pods").failing(1))).isEmpty();
	}

	@Test
	void rightsShouldBeAllThatTheReconcilerNeedsOfTheResourceWhereverItNeedsThem() {
		FakeReconciler everywhere = reconciler((spec) -> spec.withOwned(V1Deployment.class));
		failed(everywhere, "one", forbidden("apps", "deployments", "web"));
		failed(everywhere, "one", forbidden("", "pods/status", "web"));
		failed(everywhere, "one", forbidden("", "services", "web"));
		failed(everywhere, "one", forbidden("", "secrets", "vault"));
		assertThat(missing(everywhere)).containsExactly(
				rule("apps", "deployments", null, "list", "watch", "get", "create", "patch", "delete"),
				rule("", "pods/status", null, "patch"), rule("", "services", null, "create", "patch"),
				rule("", "secrets", "vault", "create", "patch"));
	}

	@Test
	void rightsShouldBeThoseOfAllNamespacesOfTheReconciler() {
		FakeReconciler two = reconciler((spec) -> spec.withNamespaces("shop", "web").withOwned(V1Deployment.class));
		failed(two, "one", forbidden("apps", "deployments", "web"));
		failed(two, "one", forbidden("", "services", "web"));
		assertThat(missing(two)).extracting(RequiredRbac::resource, RequiredRbac::namespace)
			.containsExactlyInAnyOrder(tuple("deployments", "shop"), tuple("deployments", "web"),
					tuple("services", "shop"), tuple("services", "web"));
		assertThat(this.rights.of(two, List.of("create"))).first()
			.extracting(RequiredRbac::verbs)
			.isEqualTo(List.of("list", "watch", "create", "patch"));
	}

	@Test
	void rightsThatOwnerReferencesNeedShouldBeRead() {
		failed("one", new ApiException(403, Map.of(),
				"{\"message\": \"deployments.apps \\\"d\\\" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: , \\u003cnil\\u003e\"}"));
		failed("one", new ApiException(403, Map.of(),
				"{\"kind\": \"Status\", \"message\": \"deployments.apps \\\"d\\\" is forbidden: cannot set an ownerRef on a resource you can't delete: , \\u003cnil\\u003e\","
						+ " \"details\": {\"name\": \"d\", \"group\": \"apps\", \"kind\": \"deployments\"}}"));
		assertThat(missing(this.reconciler)).containsExactly(rule("", "pods/finalizers", "web", "update"),
				rule("apps", "deployments", "web", "delete"));
	}

	@Test
	void numberOfRightsShouldBeBounded() {
		for (int i = 0; i < 50; i++) {
			failed("one", forbidden("", "secrets", "web-" + i));
		}
		assertThat(missing(this.reconciler)).hasSize(20);
	}

	@Test
	void whatIsNoRefusalByRbacShouldBeIgnored() {
		failed("one", new ApiException(403, Map.of(), "{\"message\":\"exceeded quota: s3cret\"}"));
		failed("one", new ApiException(403, "no body"));
		failed("one", new ApiException(404, Map.of(), body("web")));
		failed("one", new IllegalStateException(body("web")));
		assertThat(missing(this.reconciler)).isEmpty();
	}

	private static ApiException refusal(Request request) {
		ApiException refusal = catchThrowableOfType(ApiException.class, request::execute);
		assertThat(refusal.getCode()).isEqualTo(403);
		return refusal;
	}

	private static FakeReconciler in(String namespace) {
		return reconciler((spec) -> spec.withNamespaces(namespace));
	}

	private static FakeReconciler reconciler(UnaryOperator<ReconcilerSpec<V1Pod>> settings) {
		return new FakeReconciler(settings.apply(ReconcilerSpec.of("pods", V1Pod.class, (pod, run) -> Result.done())))
			.failing(1);
	}

	private List<RequiredRbac> missing(FakeReconciler of) {
		return this.rights.of(of, OWNED);
	}

	private static RequiredRbac rule(String group, String resource, String namespace, String... verbs) {
		return new RequiredRbac(group, resource, List.of(), List.of(verbs), namespace);
	}

	private static ApiException forbidden(String namespace) {
		return forbidden("", "pods", namespace);
	}

	private static ApiException forbidden(String group, String resource, String namespace) {
		return new ApiException(403, Map.of(), body(group, resource, namespace));
	}

	private static String body(String namespace) {
		return body("", "pods", namespace);
	}

	private static String body(String group, String resource, String namespace) {
		return "{\"message\":\"pods \\\"one\\\" is forbidden: User \\\"shop\\\" cannot patch resource \\\"" + resource
				+ "\\\" in API group \\\"" + group + "\\\" in the namespace \\\"" + namespace + "\\\"\"}";
	}

	private void failed(String name, Throwable error) {
		failed(this.reconciler, name, error);
	}

	private void failed(FakeReconciler of, String name, Throwable error) {
		ran(of, name, RunOutcome.ERROR, error);
	}

	private void ran(String name, RunOutcome outcome, Throwable error) {
		ran(this.reconciler, name, outcome, error);
	}

	private void ran(FakeReconciler of, String name, RunOutcome outcome, Throwable error) {
		this.rights.ran(of, new ReconcileRun(new ObjectKey("web", name), 1, false, QueueLane.LIVE, Duration.ZERO,
				Duration.ZERO, outcome, error));
	}

	@FunctionalInterface
	private interface Request {

		void execute() throws ApiException;

	}

}
