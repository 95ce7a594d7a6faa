package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.AuthorizationV1Api;
import io.kubernetes.client.openapi.apis.CoordinationV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.EventsV1Api;
import io.kubernetes.client.openapi.apis.RbacAuthorizationV1Api;
import io.kubernetes.client.openapi.models.AuthenticationV1TokenRequest;
import io.kubernetes.client.openapi.models.RbacV1Subject;
import io.kubernetes.client.openapi.models.V1ClusterRole;
import io.kubernetes.client.openapi.models.V1ClusterRoleBinding;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PolicyRule;
import io.kubernetes.client.openapi.models.V1ResourceAttributes;
import io.kubernetes.client.openapi.models.V1Role;
import io.kubernetes.client.openapi.models.V1RoleBinding;
import io.kubernetes.client.openapi.models.V1RoleRef;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1SelfSubjectAccessReview;
import io.kubernetes.client.openapi.models.V1SelfSubjectAccessReviewSpec;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import io.kubernetes.client.openapi.models.V1TokenRequestSpec;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.yaml.snakeyaml.Yaml;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.InformerSource;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnCleanup;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.test.RequiresCluster;
import dev.kubeinformer.types.InformerState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests on a real kube-apiserver of whether the RBAC rules that the endpoint lists are
 * exactly those that the application needs.
 */
@RequiresCluster
class RbacClusterTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final String HOME = "default";

	private static final List<Class<?>> BEANS = List.of(PodHandler.class, NodeReader.class, DeploymentReader.class,
			ConfigMapReader.class);

	private final String account = "shop-" + UUID.randomUUID().toString().substring(0, 8);

	private final Deque<Cleanup> cleanups = new ArrayDeque<>();

	@TempDir
	private Path directory;

	private ApiClient asAdmin;

	private RbacAuthorizationV1Api rbac;

	private AuthorizationV1Api asAccount;

	private Path kubeconfig;

	@BeforeEach
	void createAccount(Path adminKubeconfig) throws Exception {
		ApiClient admin = client(adminKubeconfig);
		CoreV1Api core = new CoreV1Api(admin);
		this.asAdmin = admin;
		this.rbac = new RbacAuthorizationV1Api(admin);
		core.createNamespacedServiceAccount(HOME,
				new V1ServiceAccount().metadata(new V1ObjectMeta().name(this.account)))
			.execute();
		this.cleanups.push(() -> core.deleteNamespacedServiceAccount(this.account, HOME).execute());
		String token = core
			.createNamespacedServiceAccountToken(this.account, HOME,
					new AuthenticationV1TokenRequest()
						.spec(new V1TokenRequestSpec().audiences(List.of()).expirationSeconds(3600L)))
			.execute()
			.getStatus()
			.getToken();
		this.kubeconfig = withToken(adminKubeconfig, token);
		this.asAccount = new AuthorizationV1Api(client(this.kubeconfig));
	}

	@AfterEach
	void cleanUp() throws ApiException {
		while (!this.cleanups.isEmpty()) {
			this.cleanups.pop().run();
		}
	}

	@Test
	void rolesShouldBeEnoughAndEachRuleNeeded() throws Exception {
		List<V1ClusterRole> clusterRoles = new ArrayList<>();
		List<V1Role> roles = new ArrayList<>();
		try (EndpointApplication application = run()) {
			await().atMost(LONG).until(() -> states(application).values(), this::areAllForbidden);
			for (Object role : io.kubernetes.client.util.Yaml.loadAll(application.get("/rbac").body())) {
				if (role instanceof V1ClusterRole clusterRole) {
					clusterRoles.add(clusterRole);
				}
				else {
					roles.add((V1Role) role);
				}
			}
		}
		assertThat(clusterRoles).extracting((role) -> role.getMetadata().getName())
			.containsExactly(this.account + "-informers");
		assertThat(roles).extracting((role) -> role.getMetadata().getNamespace())
			.containsExactly("default", "kube-public");
		for (V1ClusterRole role : clusterRoles) {
			grant(role);
		}
		for (V1Role role : roles) {
			grant(role);
		}
		awaitAllowed("nodes", null, true);
		awaitAllowed("deployments", "kube-public", true);
		assertThat(statesWhenSettled().values()).containsOnly(InformerState.LIVE);

		for (V1ClusterRole role : clusterRoles) {
			for (Removal removal : removals(role.getRules())) {
				this.rbac.replaceClusterRole(name(role), copy(role).rules(removal.rules())).execute();
				assertDenied(removal.resource(), null);
				this.rbac.replaceClusterRole(name(role), copy(role).rules(role.getRules())).execute();
				awaitAllowed(removal.resource(), null, true);
			}
		}
		for (V1Role role : roles) {
			String namespace = role.getMetadata().getNamespace();
			for (Removal removal : removals(role.getRules())) {
				this.rbac.replaceNamespacedRole(name(role), namespace, copy(role).rules(removal.rules())).execute();
				assertDenied(removal.resource(), namespace);
				this.rbac.replaceNamespacedRole(name(role), namespace, copy(role).rules(role.getRules())).execute();
				awaitAllowed(removal.resource(), namespace, true);
			}
		}
		assertThat(statesWhenSettled().values()).containsOnly(InformerState.LIVE);
	}

	@Test
	void rolesOfSingleObjectsShouldGrantThemAndNoOthers() throws Exception {
		String roles;
		List<Class<?>> beans = List.of(SingleReader.class);
		try (EndpointApplication application = run(beans)) {
			await().atMost(LONG).until(() -> states(application).values(), this::areAllForbidden);
			roles = application.get("/rbac").body();
		}
		for (Object role : io.kubernetes.client.util.Yaml.loadAll(roles)) {
			if (role instanceof V1ClusterRole clusterRole) {
				grant(clusterRole);
			}
			else {
				grant((V1Role) role);
			}
		}
		try (EndpointApplication application = run(beans)) {
			await().atMost(LONG)
				.until(() -> states(application).values(),
						(states) -> states.stream().allMatch(InformerState.LIVE::equals));
			assertThat(application.bean(SingleReader.class).namespaces.list())
				.extracting((namespace) -> namespace.getMetadata().getName())
				.containsExactly("kube-public");
		}
		assertThat(isAllowed(attributes("namespaces", null).name("kube-public"))).isTrue();
		assertThat(isAllowed(attributes("namespaces", null).name("default"))).isFalse();
		assertThat(isAllowed(attributes("namespaces", null))).isFalse();
		assertThat(isAllowed(attributes("secrets", "default").name("one"))).isTrue();
		assertThat(isAllowed(attributes("secrets", "default").name("two"))).isFalse();
	}

	@Test
	void rolesOfAReconcilerShouldBeEnoughForWhatItWrites() throws Exception {
		CoreV1Api core = new CoreV1Api(this.asAdmin);
		core.createNamespacedConfigMap(HOME,
				new V1ConfigMap()
					.metadata(new V1ObjectMeta().name(this.account).labels(Map.of("rbac-test", this.account))))
			.execute();
		grant(new V1Role().metadata(new V1ObjectMeta().name(this.account + "-read").namespace(HOME))
			.addRulesItem(new V1PolicyRule().apiGroups(List.of(""))
				.resources(List.of("configmaps", "secrets"))
				.verbs(List.of("list", "watch"))));
		awaitAllowed("secrets", HOME, true);
		String roles;
		try (EndpointApplication application = runReconciler()) {
			// The words of a real refusal are understood.
			await().atMost(LONG)
				.until(() -> application.<List<String>>read("/configReconciler", "$.requiredRbac"), List
					.of("Role in namespace '%s' with apiGroups: [\"\"], resources: [\"configmaps\"], verbs: [\"get\", \"list\", \"watch\", \"patch\"]"
						.formatted(HOME))::equals);
			roles = application.get("/rbac").body();
		}
		for (Object role : io.kubernetes.client.util.Yaml.loadAll(roles)) {
			grant((V1Role) role);
		}
		this.cleanups.push(() -> core.deleteNamespacedSecret(this.account, HOME).execute());
		try (EndpointApplication application = runReconciler()) {
			await().atMost(LONG)
				.until(() -> core.listNamespacedSecret(HOME)
					.fieldSelector("metadata.name=" + this.account)
					.execute()
					.getItems(),
						(secrets) -> secrets.size() == 1
								&& secrets.get(0).getMetadata().getOwnerReferences().size() == 1);
			await().atMost(LONG)
				.until(() -> !new EventsV1Api(this.asAdmin).listNamespacedEvent(HOME)
					.fieldSelector("regarding.name=" + this.account)
					.execute()
					.getItems()
					.isEmpty());
			core.deleteNamespacedConfigMap(this.account, HOME).execute();
			await().atMost(LONG)
				.until(() -> core.listNamespacedConfigMap(HOME)
					.labelSelector("rbac-test=" + this.account)
					.execute()
					.getItems()
					.isEmpty());
			await().atMost(LONG)
				.until(() -> application.<List<String>>read("/configReconciler", "$.requiredRbac").isEmpty());
		}
	}

	@Test
	void rolesOfAnElectionShouldBeEnoughAndEachVerbNeeded() throws Exception {
		CoordinationV1Api leases = new CoordinationV1Api(this.asAdmin);
		V1Role role;
		try (EndpointApplication application = runElection()) {
			awaitMissing(application, "get", "watch");
			assertThat(application.<String>read("/leader", "$.lastError.reason")).isEqualTo("Forbidden");
			role = (V1Role) io.kubernetes.client.util.Yaml.load(application.get("/rbac").body());
			assertThat(application.act("leader", "YIELD").statusCode()).isEqualTo(409);
		}
		grant(role);
		this.cleanups.push(() -> leases.deleteNamespacedLease(this.account, HOME).execute());
		try (EndpointApplication application = runElection()) {
			await().atMost(LONG).until(() -> application.<String>read("/leader", "$.state").equals("LEADING"));
			await().atMost(LONG).until(() -> application.<Integer>read("/leader", "$.renewals") > 1);
			assertThat(application.<List<String>>read("/leader", "$.requiredRbac")).isEmpty();
			assertThat(application.get("/leader").body()).doesNotContain("lastError");
		}
		assertThat(isAllowed(lease("update").name(this.account))).isTrue();
		assertThat(isAllowed(lease("update").name("another"))).isFalse();
		assertThat(isAllowed(lease("delete").name(this.account))).isFalse();
		for (String verb : List.of("get", "watch", "update")) {
			assertNeeded(role, verb);
		}
		leases.deleteNamespacedLease(this.account, HOME).execute();
		assertNeeded(role, "create");
	}

	private void assertNeeded(V1Role role, String verb) throws Exception {
		List<V1PolicyRule> left = new ArrayList<>();
		for (V1PolicyRule rule : role.getRules()) {
			List<String> verbs = new ArrayList<>(rule.getVerbs());
			verbs.remove(verb);
			if (!verbs.isEmpty()) {
				left.add(new V1PolicyRule().apiGroups(rule.getApiGroups())
					.resources(rule.getResources())
					.resourceNames(rule.getResourceNames())
					.verbs(verbs));
			}
		}
		this.rbac.replaceNamespacedRole(name(role), HOME, copy(role).rules(left)).execute();
		V1ResourceAttributes attributes = lease(verb).name(verb.equals("create") ? null : this.account);
		await().atMost(LONG).until(() -> !isAllowed(attributes));
		try (EndpointApplication application = runElection()) {
			awaitMissing(application, verb);
		}
		this.rbac.replaceNamespacedRole(name(role), HOME, copy(role).rules(role.getRules())).execute();
		await().atMost(LONG).until(() -> isAllowed(attributes));
		try (EndpointApplication application = runElection()) {
			await().atMost(LONG).until(() -> application.<String>read("/leader", "$.state").equals("LEADING"));
		}
	}

	private void awaitMissing(EndpointApplication application, String... verbs) {
		String names = List.of(verbs).contains("create") ? "" : ", resourceNames: [\"%s\"]".formatted(this.account);
		await().atMost(LONG)
			.until(() -> application.<List<String>>read("/leader", "$.requiredRbac"), List
				.of("Role in namespace '%s' with apiGroups: [\"coordination.k8s.io\"], resources: [\"leases\"]%s, verbs: [\"%s\"]"
					.formatted(HOME, names, String.join("\", \"", verbs)))::equals);
	}

	private EndpointApplication runElection() {
		return EndpointApplication.run(WebApplicationType.SERVLET, List.of(),
				"kubernetes.client.kubeconfig=" + this.kubeconfig, "spring.application.name=" + this.account,
				"kubernetes.leader.enabled=true", "kubernetes.leader.lease.namespace=" + HOME,
				EndpointApplication.UNRESTRICTED);
	}

	private static V1ResourceAttributes lease(String verb) {
		return new V1ResourceAttributes().verb(verb).group("coordination.k8s.io").resource("leases").namespace(HOME);
	}

	private EndpointApplication runReconciler() {
		return EndpointApplication.run(WebApplicationType.SERVLET, List.of(ConfigMapReconciler.class),
				"kubernetes.client.kubeconfig=" + this.kubeconfig, "spring.application.name=" + this.account,
				"kubernetes.reconcilers.configReconciler.label-selector=rbac-test=" + this.account);
	}

	private void assertDenied(String resource, String namespace) throws Exception {
		awaitAllowed(resource, namespace, false);
		Map<String, InformerState> states = statesWhenSettled();
		assertThat(states).as("without %s in %s", resource, namespace).hasSize(4);
		states.forEach((id, state) -> assertThat(state).as("%s without %s in %s", id, resource, namespace)
			.isEqualTo(id.startsWith(resource) ? InformerState.FORBIDDEN : InformerState.LIVE));
	}

	/**
	 * Each resource of each rule, with the rules that are left without it.
	 */
	private static List<Removal> removals(List<V1PolicyRule> rules) {
		List<Removal> removals = new ArrayList<>();
		for (V1PolicyRule rule : rules) {
			for (String resource : rule.getResources()) {
				List<V1PolicyRule> left = new ArrayList<>(rules);
				left.remove(rule);
				List<String> resources = new ArrayList<>(rule.getResources());
				resources.remove(resource);
				if (!resources.isEmpty()) {
					left.add(new V1PolicyRule().apiGroups(rule.getApiGroups())
						.verbs(rule.getVerbs())
						.resources(resources));
				}
				removals.add(new Removal(resource, left));
			}
		}
		return removals;
	}

	private Map<String, InformerState> statesWhenSettled() {
		try (EndpointApplication application = run()) {
			await().atMost(LONG)
				.until(() -> states(application).values(), (states) -> states.stream()
					.allMatch((state) -> state == InformerState.LIVE || state == InformerState.FORBIDDEN));
			return states(application);
		}
	}

	private boolean areAllForbidden(Iterable<InformerState> states) {
		for (InformerState state : states) {
			if (state != InformerState.FORBIDDEN) {
				return false;
			}
		}
		return true;
	}

	private static Map<String, InformerState> states(EndpointApplication application) {
		Map<String, InformerState> states = new LinkedHashMap<>();
		for (Informer<?> informer : application.bean(Informers.class).all()) {
			states.put(informer.id(), informer.state());
		}
		return states;
	}

	private EndpointApplication run() {
		return run(BEANS);
	}

	private EndpointApplication run(List<Class<?>> beans) {
		return EndpointApplication.run(WebApplicationType.SERVLET, beans,
				"kubernetes.client.kubeconfig=" + this.kubeconfig, "spring.application.name=" + this.account);
	}

	private void grant(V1ClusterRole role) throws ApiException {
		this.rbac.createClusterRole(role).execute();
		this.cleanups.push(() -> this.rbac.deleteClusterRole(name(role)).execute());
		this.rbac
			.createClusterRoleBinding(new V1ClusterRoleBinding().metadata(new V1ObjectMeta().name(name(role)))
				.roleRef(roleRef("ClusterRole", name(role)))
				.addSubjectsItem(subject()))
			.execute();
		this.cleanups.push(() -> this.rbac.deleteClusterRoleBinding(name(role)).execute());
	}

	private void grant(V1Role role) throws ApiException {
		String namespace = role.getMetadata().getNamespace();
		this.rbac.createNamespacedRole(namespace, role).execute();
		this.cleanups.push(() -> this.rbac.deleteNamespacedRole(name(role), namespace).execute());
		this.rbac
			.createNamespacedRoleBinding(namespace,
					new V1RoleBinding().metadata(new V1ObjectMeta().name(name(role)))
						.roleRef(roleRef("Role", name(role)))
						.addSubjectsItem(subject()))
			.execute();
		this.cleanups.push(() -> this.rbac.deleteNamespacedRoleBinding(name(role), namespace).execute());
	}

	private RbacV1Subject subject() {
		return new RbacV1Subject().kind("ServiceAccount").namespace(HOME).name(this.account);
	}

	private static V1RoleRef roleRef(String kind, String name) {
		return new V1RoleRef().apiGroup("rbac.authorization.k8s.io").kind(kind).name(name);
	}

	private static String name(V1ClusterRole role) {
		return role.getMetadata().getName();
	}

	private static String name(V1Role role) {
		return role.getMetadata().getName();
	}

	private static V1ClusterRole copy(V1ClusterRole role) {
		return new V1ClusterRole().metadata(new V1ObjectMeta().name(name(role)));
	}

	private static V1Role copy(V1Role role) {
		return new V1Role().metadata(new V1ObjectMeta().name(name(role)).namespace(role.getMetadata().getNamespace()));
	}

	private void awaitAllowed(String resource, String namespace, boolean allowed) {
		await().atMost(LONG).until(() -> isAllowed(attributes(resource, namespace)), (answer) -> answer == allowed);
	}

	private static V1ResourceAttributes attributes(String resource, String namespace) {
		return new V1ResourceAttributes().verb("watch")
			.group(resource.equals("deployments") ? "apps" : "")
			.resource(resource)
			.namespace(namespace);
	}

	private boolean isAllowed(V1ResourceAttributes attributes) throws ApiException {
		V1SelfSubjectAccessReview review = new V1SelfSubjectAccessReview()
			.spec(new V1SelfSubjectAccessReviewSpec().resourceAttributes(attributes));
		return this.asAccount.createSelfSubjectAccessReview(review).execute().getStatus().getAllowed();
	}

	private Path withToken(Path adminKubeconfig, String token) throws IOException {
		Map<String, Object> config;
		try (Reader reader = Files.newBufferedReader(adminKubeconfig)) {
			config = new Yaml().load(reader);
		}
		List<Map<String, Object>> users = new ArrayList<>();
		for (Object user : (List<?>) config.get("users")) {
			users.add(Map.of("name", ((Map<?, ?>) user).get("name"), "user", Map.of("token", token)));
		}
		config.put("users", users);
		return Files.writeString(this.directory.resolve("kubeconfig.yaml"), new Yaml().dump(config));
	}

	private static ApiClient client(Path kubeconfig) throws IOException {
		try (Reader reader = Files.newBufferedReader(kubeconfig)) {
			return ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(reader)).build();
		}
	}

	@FunctionalInterface
	private interface Cleanup {

		void run() throws ApiException;

	}

	private record Removal(String resource, List<V1PolicyRule> rules) {

	}

	@InformerHandler(id = "podHandler")
	static class PodHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	static class NodeReader {

		NodeReader(Lister<V1Node> nodes) {
		}

	}

	static class DeploymentReader {

		DeploymentReader(@InformerSource(namespaces = { "default", "kube-public" }) Lister<V1Deployment> deployments) {
		}

	}

	@Reconciler(id = "configReconciler", namespaces = HOME)
	static class ConfigMapReconciler {

		@Reconcile
		void reconcile(V1ConfigMap config, Owned<V1Secret> secrets, Reconciliation<V1ConfigMap> run)
				throws ApiException {
			run.apply(new V1Secret().metadata(new V1ObjectMeta().name(run.key().name())));
			run.event("Reconciled", "There is a secret");
		}

		@OnCleanup
		void cleanUp(V1ConfigMap config) {
		}

	}

	static class SingleReader {

		private final Lister<V1Namespace> namespaces;

		SingleReader(@InformerSource(fieldSelector = "metadata.name=kube-public") Lister<V1Namespace> namespaces,
				@InformerSource(namespaces = HOME, fieldSelector = "metadata.name=one") Lister<V1Secret> secrets) {
			this.namespaces = namespaces;
		}

	}

	static class ConfigMapReader {

		ConfigMapReader(@InformerSource(namespaces = "kube-public") Lister<V1ConfigMap> configMaps) {
		}

	}

}
