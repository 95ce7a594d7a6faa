package dev.kubeinformer.spring.rbac;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.AppsV1Api;
import io.kubernetes.client.openapi.apis.AuthorizationV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ClusterRole;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PolicyRule;
import io.kubernetes.client.openapi.models.V1ResourceAttributes;
import io.kubernetes.client.openapi.models.V1Role;
import io.kubernetes.client.openapi.models.V1SelfSubjectAccessReview;
import io.kubernetes.client.openapi.models.V1SelfSubjectAccessReviewSpec;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.util.Config;
import io.kubernetes.client.util.PatchUtils;
import io.kubernetes.client.util.Yaml;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.controller.OwnedResource;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.controller.UnownedResource;
import dev.kubeinformer.controller.WatchedResource;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.reconciler.ReconcilerRbac;
import dev.kubeinformer.test.ApiUser;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of the rules that a reconciler needs, as roles of {@link RbacRoles}.
 */
class ReconcilerRbacTests {

	private static final List<String> ALL = List.of("get", "list", "watch", "create", "patch", "delete");

	private final ReconcilerSpec<V1Pod> spec = ReconcilerSpec.of("pods", V1Pod.class, (pod, run) -> Result.done());

	@Test
	void reconcilerOfTheWholeClusterShouldNeedAClusterRole() throws Exception {
		assertThat(roles(this.spec.withOwned(V1Deployment.class)
			.withWatched(WatchedResource.of(V1ConfigMap.class, (config) -> null)), ALL))
			.containsExactly("ClusterRole null: [] configmaps,pods [] get,list,watch; [] pods/finalizers [] update; "
					+ "[] pods/status [] patch; [apps] deployments [] get,list,watch,create,patch,delete; "
					+ "[events.k8s.io] events [] create,patch");
	}

	@Test
	void metadataShouldNeedTheRightsOfWholeObjects() throws Exception {
		assertThat(roles(this.spec.withOwned(OwnedResource.metadata(V1Deployment.class))
			.withWatched(WatchedResource.metadata(V1ConfigMap.class, (config) -> null)), ALL))
			.isEqualTo(roles(this.spec.withOwned(V1Deployment.class)
				.withWatched(WatchedResource.of(V1ConfigMap.class, (config) -> null)), ALL));
	}

	@Test
	void reconcilerWithCleanupShouldNeedToPatchItsPrimaries() throws Exception {
		assertThat(roles(this.spec.withCleanup("example.com/pods", (pod, run) -> Result.done()), ALL)).singleElement()
			.asString()
			.contains("[] pods [] get,list,watch,patch;");
	}

	@Test
	void unownedObjectsShouldNeedAllRightsInTheirNamespacesAndACleanup() throws Exception {
		assertThat(roles(this.spec.withNamespaces("web")
			.withUnowned("example.com/pods", UnownedResource.of(V1ClusterRole.class))
			.withUnowned("example.com/pods", UnownedResource.of(V1ConfigMap.class, "shared")), List.of()))
			.containsExactly(
					"ClusterRole null: [rbac.authorization.k8s.io] clusterroles [] get,list,watch,create,patch,delete",
					"Role shared: [] configmaps [] get,list,watch,create,patch,delete",
					"Role web: [] pods [] get,list,watch,patch; [] pods/finalizers [] update; [] pods/status [] patch; "
							+ "[events.k8s.io] events [] create,patch");
	}

	@Test
	void reconcilerOfNamespacesShouldNeedARoleInEach() throws Exception {
		assertThat(roles(
				this.spec.withNamespaces("web", "batch").withWatched(WatchedResource.of(V1Node.class, (node) -> null)),
				ALL))
			.containsExactly("ClusterRole null: [] nodes [] get,list,watch",
					"Role batch: [] pods [] get,list,watch; [] pods/finalizers [] update; [] pods/status [] patch; "
							+ "[events.k8s.io] events [] create,patch",
					"Role web: [] pods [] get,list,watch; [] pods/finalizers [] update; [] pods/status [] patch; "
							+ "[events.k8s.io] events [] create,patch");
	}

	@Test
	void eventsAboutClusterScopedPrimariesShouldBeInTheDefaultNamespace() throws Exception {
		assertThat(roles(ReconcilerSpec.of("nodes", V1Node.class, (node, run) -> Result.done()), ALL)).containsExactly(
				"ClusterRole null: [] nodes [] get,list,watch; [] nodes/finalizers [] update; [] nodes/status [] patch",
				"Role default: [events.k8s.io] events [] create,patch");
	}

	@Test
	void watchedResourceShouldBeReadInItsOwnNamespaces() throws Exception {
		WatchedResource<V1ConfigMap> watched = WatchedResource.of(V1ConfigMap.class, (config) -> null);
		assertThat(roles(this.spec.withNamespaces("web")
			.withWatched(new WatchedResource<>(watched.type(), Set.of("shared"), null, "metadata.name=one",
					watched.mapper())),
				ALL))
			.contains("Role shared: [] configmaps [one] get,list,watch");
	}

	@Test
	void singlePrimaryShouldBeGrantedByName() throws Exception {
		assertThat(roles(this.spec.withNamespaces("web").withFieldSelector("metadata.name=one"), ALL)).containsExactly(
				"Role web: [] pods [one] get,list,watch; [] pods/finalizers [one] update; [] pods/status [one] patch; "
						+ "[events.k8s.io] events [] create,patch");
	}

	@Test
	void verbsOnOwnedResourcesShouldBeNarrowedButForTheCache() throws Exception {
		assertThat(roles(this.spec.withOwned(V1Deployment.class), List.of("create"))).singleElement()
			.asString()
			.contains("[apps] deployments [] list,watch,create;");
	}

	@Test
	void rulesOfSeveralReconcilersShouldBeJoinedAndWhatTheClusterRoleGrantsLeftOut() throws Exception {
		RbacRoles roles = new RbacRoles();
		ReconcilerSpec<V1Service> services = ReconcilerSpec
			.of("services", V1Service.class, (service, run) -> Result.done())
			.withNamespaces("web")
			.withOwned(V1Pod.class);
		ReconcilerRbac.of(this.spec, ALL).forEach(roles::add);
		ReconcilerRbac.of(services, ALL).forEach(roles::add);
		assertThat(texts(roles)).containsExactly(
				"ClusterRole null: [] pods [] get,list,watch; [] pods/finalizers [] update; [] pods/status [] patch; "
						+ "[events.k8s.io] events [] create,patch",
				"Role web: [] pods [] create,patch,delete; [] services [] get,list,watch; "
						+ "[] services/finalizers [] update; [] services/status [] patch");
	}

	@Test
	void roleShouldBeEnoughForWhatAReconcilerWrites() throws Exception {
		ReconcilerSpec<V1Pod> narrow = this.spec.withNamespaces("web")
			.withOwned(V1Deployment.class)
			.withCleanup("example.com/pods", (pod, run) -> Result.done());
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder()
			.validation(false)
			.user("shop", "token")
			.start()) {
			kubernetes.resources(V1Namespace.class).create(new V1Namespace().metadata(new V1ObjectMeta().name("web")));
			kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
			kubernetes.resources(V1Pod.class).create(TestObjects.pod("other", "one"));
			ApiUser user = kubernetes.user("shop");
			ApiClient client = Config.fromToken(kubernetes.url(), "token", false);
			CoreV1Api core = new CoreV1Api(client);
			AppsV1Api apps = new AppsV1Api(client);
			Write finalizer = () -> PatchUtils.patch(V1Pod.class,
					() -> core
						.patchNamespacedPod("one", "web",
								new V1Patch("{\"metadata\":{\"finalizers\":[\"example.com/pods\"]}}"))
						.buildCall(null),
					V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, client);
			assertForbidden(finalizer);
			grant(user, narrow);
			core.listNamespacedPod("web").execute();
			core.readNamespacedPod("one", "web").execute();
			finalizer.send();
			assertThat(isAllowed(client, "patch", "", "pods", "status")).isTrue();
			assertThat(isAllowed(client, "update", "", "pods", "finalizers")).isTrue();
			assertThat(isAllowed(client, "create", "events.k8s.io", "events", null)).isTrue();
			assertThat(isAllowed(client, "patch", "events.k8s.io", "events", null)).isTrue();
			assertThat(isAllowed(client, "update", "", "pods", "status")).isFalse();
			assertThat(isAllowed(client, "update", "", "pods", null)).isFalse();
			apps.createNamespacedDeployment("web", new V1Deployment().metadata(new V1ObjectMeta().name("d"))).execute();
			apps.deleteNamespacedDeployment("d", "web").execute();
			assertForbidden(() -> core.readNamespacedPod("one", "other").execute());
			assertForbidden(() -> core.deleteNamespacedPod("one", "web").execute());
			assertForbidden(() -> core.readNamespacedConfigMap("one", "web").execute());
		}
	}

	private static void grant(ApiUser user, ReconcilerSpec<?> spec) throws Exception {
		RbacRoles roles = new RbacRoles();
		ReconcilerRbac.of(spec, ALL).forEach(roles::add);
		for (Object role : Yaml.loadAll(RbacRoles.toYaml(roles.toDocuments("shop")))) {
			V1Role granted = (V1Role) role;
			for (V1PolicyRule rule : granted.getRules()) {
				user.allow(String.join(",", rule.getVerbs()), String.join(",", rule.getResources()),
						granted.getMetadata().getNamespace());
			}
		}
	}

	private static boolean isAllowed(ApiClient client, String verb, String group, String resource, String subresource)
			throws ApiException {
		V1ResourceAttributes attributes = new V1ResourceAttributes().verb(verb)
			.group(group)
			.resource(resource)
			.subresource(subresource)
			.namespace("web");
		V1SelfSubjectAccessReview review = new V1SelfSubjectAccessReview()
			.spec(new V1SelfSubjectAccessReviewSpec().resourceAttributes(attributes));
		return new AuthorizationV1Api(client).createSelfSubjectAccessReview(review).execute().getStatus().getAllowed();
	}

	private static void assertForbidden(Write write) {
		assertThatExceptionOfType(ApiException.class).isThrownBy(write::send)
			.satisfies((refusal) -> assertThat(refusal.getCode()).isEqualTo(403));
	}

	private static List<String> roles(ReconcilerSpec<?> spec, List<String> ownedVerbs) throws Exception {
		RbacRoles roles = new RbacRoles();
		ReconcilerRbac.of(spec, ownedVerbs).forEach(roles::add);
		return texts(roles);
	}

	private static List<String> texts(RbacRoles roles) throws Exception {
		List<String> texts = new ArrayList<>();
		for (Object role : Yaml.loadAll(RbacRoles.toYaml(roles.toDocuments("shop")))) {
			if (role instanceof V1ClusterRole clusterRole) {
				texts.add("ClusterRole null: " + text(clusterRole.getRules()));
			}
			else {
				V1Role narrow = (V1Role) role;
				texts.add("Role " + narrow.getMetadata().getNamespace() + ": " + text(narrow.getRules()));
			}
		}
		return texts;
	}

	private static String text(List<V1PolicyRule> rules) {
		return String.join("; ", rules.stream().map((rule) -> {
			List<String> names = (rule.getResourceNames() != null) ? rule.getResourceNames() : List.of();
			String group = rule.getApiGroups().get(0);
			return "[%s] %s %s %s".formatted(group, String.join(",", rule.getResources()), names,
					String.join(",", rule.getVerbs()));
		}).toList());
	}

	@FunctionalInterface
	private interface Write {

		void send() throws ApiException;

	}

}
