package dev.kubeinformer;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.ApiextensionsV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;
import io.kubernetes.client.openapi.apis.RbacAuthorizationV1Api;
import io.kubernetes.client.openapi.models.CoreV1Event;
import io.kubernetes.client.openapi.models.RbacV1Subject;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1ObjectReference;
import io.kubernetes.client.openapi.models.V1PolicyRule;
import io.kubernetes.client.openapi.models.V1Role;
import io.kubernetes.client.openapi.models.V1RoleBinding;
import io.kubernetes.client.openapi.models.V1RoleRef;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import okhttp3.HttpUrl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.kubeinformer.fixtures.CustomObject;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.informer.RequiredRbac;
import dev.kubeinformer.resource.CustomTypes;
import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.test.FaultProxy;
import dev.kubeinformer.test.RequiresCluster;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListMode;

import static dev.kubeinformer.EngineTestSupport.FAST;
import static dev.kubeinformer.EngineTestSupport.LONGER_AND_LONGER;
import static dev.kubeinformer.EngineTestSupport.engineThreads;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Behaviour of informers towards the faults of a real kube-apiserver. The objects of each
 * test are {@code kept}, {@code changed} and {@code gone}, and later {@code late}.
 */
@Tag("slow")
@RequiresCluster
class ClusterFaultTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final String namespace = "informer-fault-" + UUID.randomUUID().toString().substring(0, 8);

	private CoreV1Api core;

	private RbacAuthorizationV1Api rbac;

	private ApiextensionsV1Api extensions;

	private CustomObjectsApi customObjects;

	@BeforeEach
	void connect(Path kubeconfig) throws IOException, ApiException {
		ApiClient admin = ClusterSupport.client(kubeconfig);
		this.core = new CoreV1Api(admin);
		this.rbac = new RbacAuthorizationV1Api(admin);
		this.extensions = new ApiextensionsV1Api(admin);
		this.customObjects = new CustomObjectsApi(admin);
		this.core.createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(this.namespace))).execute();
	}

	@AfterEach
	void cleanUp() throws ApiException {
		await().untilAsserted(() -> assertThat(engineThreads()).isEmpty());
		this.core.deleteCollectionNamespacedSecret(this.namespace).execute();
		this.core.deleteCollectionNamespacedEvent(this.namespace).execute();
		this.extensions.deleteCollectionCustomResourceDefinition()
			.fieldSelector("metadata.name=widgets." + group())
			.execute();
		this.rbac.deleteCollectionNamespacedRoleBinding(this.namespace).execute();
		this.rbac.deleteCollectionNamespacedRole(this.namespace).execute();
		this.core.deleteNamespace(this.namespace).execute();
	}

	/** Events are the one built-in resource that is served from etcd itself. */
	@ParameterizedTest
	@EnumSource(value = ListMode.class, names = { "AUTO", "PAGED" })
	@RequiresCluster(properties = ClusterSupport.ETCD)
	void compactionCostsOneListWhereTheServerHasNoWatchCache(ListMode mode, Path kubeconfig) throws Exception {
		try (FaultProxy network = ClusterSupport.network(kubeconfig);
				Informers informers = informers(ClusterSupport.proxied(kubeconfig, network), mode)) {
			createEvent("kept");
			createEvent("changed");
			createEvent("gone");
			Watched<CoreV1Event> events = start(informers, CoreV1Event.class);
			network.cut();
			events.awaitState(InformerState.STALE);
			createEvent("late");
			CoreV1Event stored = this.core.readNamespacedEvent("changed", this.namespace).execute();
			this.core.replaceNamespacedEvent("changed", this.namespace, stored.message("v2")).execute();
			this.core.deleteNamespacedEvent("gone", this.namespace).execute();
			ClusterSupport.compact();
			network.restore();
			events.awaitOneRelist();
			assertThat(ClusterSupport.versions(events.informer().lister().list()))
				.isEqualTo(ClusterSupport.versions(this.core.listNamespacedEvent(this.namespace).execute().getItems()));
		}
	}

	@ParameterizedTest
	@EnumSource(value = ListMode.class, names = { "AUTO", "PAGED" })
	@RequiresCluster(properties = ClusterSupport.ETCD)
	void compactionCostsNoListWhereTheServerHasAWatchCache(ListMode mode, Path kubeconfig) throws Exception {
		try (FaultProxy network = ClusterSupport.network(kubeconfig);
				Informers informers = informers(ClusterSupport.proxied(kubeconfig, network), mode)) {
			Watched<V1Secret> secrets = startSecrets(informers);
			network.cut();
			secrets.awaitState(InformerState.STALE);
			changeSecrets();
			ClusterSupport.compact();
			network.restore();
			await().atMost(LONG)
				.untilAsserted(() -> assertThat(secrets.delivered()).containsExactly("+late", "~changed", "-gone"));
			secrets.awaitState(InformerState.LIVE);
			assertThat(secrets.informer().status().lists().total()).isEqualTo(1);
			assertEqualToServer(secrets);
		}
	}

	@Test
	@RequiresCluster(properties = ClusterSupport.ETCD)
	void pagesThatExpireAreReadAgainAtOnceAsOne(Path kubeconfig) throws Exception {
		List<HttpUrl> requests = new CopyOnWriteArrayList<>();
		ApiClient client = ClusterSupport.client(kubeconfig);
		client.setHttpClient(client.getHttpClient().newBuilder().addInterceptor((chain) -> {
			HttpUrl url = chain.request().url();
			if (url.queryParameter("continue") != null) {
				expirePages();
			}
			requests.add(url);
			return chain.proceed(chain.request());
		}).build());
		for (int i = 0; i < 5; i++) {
			createEvent("kept-" + i);
		}
		try (Informers informers = Informers.builder(client)
			.timings(FAST)
			.listMode(ListMode.PAGED)
			.pageSize(2)
			.build()) {
			Watched<CoreV1Event> events = start(informers, CoreV1Event.class);
			events.awaitState(InformerState.LIVE);
			assertThat(events.informer().snapshot().keys()).hasSize(6).contains(this.namespace + "/late");
			assertThat(events.informer().status().lists().total()).isEqualTo(1);
		}
		assertThat(requests).hasSize(4);
		assertThat(requests.get(1).queryParameter("limit")).isEqualTo("2");
		assertThat(requests.get(2).queryParameterNames()).doesNotContain("limit", "continue");
	}

	/** From etcd come bookmarks only where it is configured to notify of its progress. */
	@ParameterizedTest
	@EnumSource(value = ListMode.class, names = { "AUTO", "PAGED" })
	@RequiresCluster(properties = ClusterSupport.ETCD)
	void silenceOfAServerWithoutWatchCacheIsNoDamage(ListMode mode, Path kubeconfig) throws Exception {
		createEvent("kept");
		try (Informers informers = Informers.builder(ClusterSupport.client(kubeconfig))
			.timings(FAST)
			.listMode(mode)
			.idleTimeout(Duration.ofSeconds(1))
			.build()) {
			Watched<CoreV1Event> events = start(informers, CoreV1Event.class);
			events.awaitState(InformerState.STALE);
			await().during(Duration.ofSeconds(5))
				.atMost(LONG)
				.until(() -> events.informer().state() == InformerState.LIVE);
			// One list is due where others write to the server meanwhile: an empty watch
			// could have missed that.
			assertThat(events.informer().status().lists().total()).isLessThanOrEqualTo(2);
			assertThat(events.delivered()).isEmpty();
			createEvent("late");
			await().atMost(LONG).untilAsserted(() -> assertThat(events.delivered()).containsExactly("+late"));
		}
	}

	@ParameterizedTest
	@EnumSource(value = ListMode.class, names = { "AUTO", "PAGED" })
	@RequiresCluster(properties = ClusterSupport.RESTART)
	void restartOfTheServerCostsAtMostOneListAndTellsNobodyOfWhatDidNotChange(ListMode mode, Path kubeconfig)
			throws Exception {
		try (Informers informers = informers(ClusterSupport.client(kubeconfig), mode)) {
			Watched<V1Secret> secrets = startSecrets(informers);
			// the watch cache of the new server begins with a newer version
			createEvent("kept");
			ClusterSupport.restart();
			changeSecrets();
			await().atMost(LONG)
				.untilAsserted(() -> assertThat(secrets.delivered()).map((delivered) -> delivered.replace("?", ""))
					.containsExactlyInAnyOrder("+late", "~changed", "-gone"));
			secrets.awaitState(InformerState.LIVE);
			assertThat(secrets.informer().status().lists().total()).isLessThanOrEqualTo(2);
			assertEqualToServer(secrets);
		}
	}

	@ParameterizedTest
	@EnumSource(value = ListMode.class, names = { "AUTO", "PAGED" })
	@RequiresCluster(properties = ClusterSupport.RESTART)
	void changesBeforeARestartThatWereMissedCostOneList(ListMode mode, Path kubeconfig) throws Exception {
		try (FaultProxy network = ClusterSupport.network(kubeconfig);
				Informers informers = informers(ClusterSupport.proxied(kubeconfig, network), mode)) {
			Watched<V1Secret> secrets = startSecrets(informers);
			network.cut();
			secrets.awaitState(InformerState.STALE);
			changeSecrets();
			ClusterSupport.restart();
			network.restore();
			secrets.awaitOneRelist();
			assertEqualToServer(secrets);
		}
	}

	/** A server that has just started has not read its RBAC rules yet. */
	@Test
	@RequiresCluster(properties = ClusterSupport.RESTART)
	void serverThatDeniesEverythingWhileItStartsIsAskedAgainSoon(Path kubeconfig) throws Exception {
		grant();
		try (Informers informers = Informers.builder(limited(ClusterSupport.client(kubeconfig)))
			.timings(LONGER_AND_LONGER)
			.build()) {
			Watched<V1Secret> secrets = startSecrets(informers);
			ClusterSupport.restart();
			changeSecrets();
			await().atMost(LONG).until(() -> secrets.delivered().size() == 3);
			secrets.awaitState(InformerState.LIVE);
			assertEqualToServer(secrets);
		}
	}

	@ParameterizedTest
	@EnumSource(value = ListMode.class, names = { "AUTO", "PAGED" })
	void rightThatIsTakenAndGivenAgainCostsNoListAndNoChange(ListMode mode, Path kubeconfig) throws Exception {
		RequiredRbac rule = new RequiredRbac("", "secrets", List.of(), List.of("list", "watch"), this.namespace);
		try (FaultProxy network = ClusterSupport.network(kubeconfig);
				Informers informers = informers(limited(ClusterSupport.proxied(kubeconfig, network)), mode)) {
			Informer<V1Secret> informer = informers.informer(spec(V1Secret.class));
			informers.start();
			await().atMost(LONG).until(() -> informer.state() == InformerState.FORBIDDEN);
			assertThat(informer.status().requiredRbac()).containsExactly(rule);
			grant();
			Watched<V1Secret> secrets = startSecrets(informers);
			deny(ClusterSupport.client(kubeconfig));
			// open watches are not authorised again
			network.cut();
			network.restore();
			secrets.awaitState(InformerState.FORBIDDEN);
			assertThat(informer.status().requiredRbac()).containsExactly(rule);
			changeSecrets();
			assertThat(secrets.registration().hasSynced()).isTrue();
			assertThat(informer.snapshot().keys()).hasSize(3).contains(this.namespace + "/gone");
			assertThat(secrets.delivered()).isEmpty();
			grant();
			await().atMost(LONG)
				.untilAsserted(() -> assertThat(secrets.delivered()).containsExactly("+late", "~changed", "-gone"));
			secrets.awaitState(InformerState.LIVE);
			assertThat(informer.status().requiredRbac()).isEmpty();
			assertThat(informer.status().lists().total()).isEqualTo(1);
			assertEqualToServer(secrets);
		}
	}

	@ParameterizedTest
	@EnumSource(value = ListMode.class, names = { "AUTO", "PAGED" })
	void customResourceComesAndGoesAndComesAgain(ListMode mode, Path kubeconfig) throws Exception {
		ResourceType<Widget> type = CustomTypes.inGroup(Widget.class, group());
		try (Informers informers = informers(ClusterSupport.client(kubeconfig), mode)) {
			Informer<Widget> widgets = informers.informer(InformerSpec.of(type).withNamespaces(this.namespace));
			Recorder<Widget> recorder = new Recorder<>();
			HandlerRegistration registration = widgets.addHandler(recorder, HandlerOptions.defaults());
			informers.start();
			await().atMost(LONG).until(() -> widgets.state() == InformerState.NOT_FOUND);
			assertThat(registration.hasSynced()).isFalse();
			define(type);
			await().atMost(LONG).until(() -> widgets.state() == InformerState.LIVE);
			assertThat(registration.awaitSync(LONG)).isTrue();
			create(type, "a");
			create(type, "b");
			await().atMost(LONG).untilAsserted(() -> assertThat(recorder.delivered()).containsExactly("+a", "+b"));
			assertThat(widgets.lister().namespace(this.namespace).get("b").size).isEqualTo(3);
			this.extensions.deleteCustomResourceDefinition(type.name()).execute();
			await().atMost(LONG).until(() -> widgets.state() == InformerState.NOT_FOUND);
			await().atMost(LONG).untilAsserted(() -> assertThat(recorder.delivered()).hasSize(4).contains("-a", "-b"));
			assertThat(widgets.lister().list()).isEmpty();
			assertThat(registration.hasSynced()).isTrue();
			define(type);
			await().atMost(LONG).until(() -> widgets.state() == InformerState.LIVE);
			create(type, "a");
			await().atMost(LONG).untilAsserted(() -> assertThat(recorder.delivered()).hasSize(5).endsWith("+a"));
		}
	}

	@ParameterizedTest
	@EnumSource(value = ListMode.class, names = { "AUTO", "PAGED" })
	void customResourceWithoutAClassComesAndGoesAndComesAgain(ListMode mode, Path kubeconfig) throws Exception {
		ResourceType<Widget> type = CustomTypes.inGroup(Widget.class, group());
		try (Informers informers = informers(ClusterSupport.client(kubeconfig), mode)) {
			InformerSpec<DynamicKubernetesObject> spec = InformerSpec.dynamic(group(), type.version(), type.plural());
			Informer<DynamicKubernetesObject> widgets = informers.informer(spec.withNamespaces(this.namespace));
			Informer<DynamicKubernetesObject> misspelt = informers
				.informer(InformerSpec.dynamic(group(), type.version(), type.kind()));
			Recorder<DynamicKubernetesObject> recorder = new Recorder<>();
			HandlerRegistration registration = widgets.addHandler(recorder, HandlerOptions.defaults());
			informers.start();
			await().atMost(LONG).until(() -> widgets.state() == InformerState.NOT_FOUND);
			define(type);
			assertThat(registration.awaitSync(LONG)).isTrue();
			create(type, "a");
			create(type, "b");
			await().atMost(LONG).untilAsserted(() -> assertThat(recorder.delivered()).containsExactly("+a", "+b"));
			DynamicKubernetesObject b = widgets.lister().namespace(this.namespace).get("b");
			assertThat(b.getKind()).isEqualTo(type.kind());
			assertThat(b.getRaw().get("size").getAsInt()).isEqualTo(3);
			assertThat(b.getMetadata().getManagedFields()).isNullOrEmpty();
			await().atMost(LONG)
				.until(() -> misspelt.status().lastError().message().endsWith("did you mean 'widgets'?)"));
			this.extensions.deleteCustomResourceDefinition(type.name()).execute();
			await().atMost(LONG).until(() -> widgets.state() == InformerState.NOT_FOUND);
			await().atMost(LONG).untilAsserted(() -> assertThat(recorder.delivered()).hasSize(4).contains("-a", "-b"));
			define(type);
			await().atMost(LONG).until(() -> widgets.state() == InformerState.LIVE);
			create(type, "a");
			await().atMost(LONG).untilAsserted(() -> assertThat(recorder.delivered()).hasSize(5).endsWith("+a"));
		}
	}

	@Test
	void clusterScopeAndBuiltInKindsAreFoundByDiscovery(Path kubeconfig) throws Exception {
		try (Informers informers = informers(ClusterSupport.client(kubeconfig), ListMode.PAGED)) {
			Informer<DynamicKubernetesObject> definitions = informers
				.informer(InformerSpec.dynamic("apiextensions.k8s.io", "v1", "customresourcedefinitions"));
			Informer<DynamicKubernetesObject> namespaces = informers
				.informer(InformerSpec.dynamic("", "v1", "namespaces"));
			Informer<DynamicKubernetesObject> services = informers
				.informer(InformerSpec.dynamic("apiregistration.k8s.io", "v1", "apiservices"));
			informers.start();
			assertThat(definitions.awaitSync(LONG) && namespaces.awaitSync(LONG) && services.awaitSync(LONG)).isTrue();
			assertThat(namespaces.lister().get(this.namespace).getKind()).isEqualTo("Namespace");
			assertThat(services.lister().list()).isNotEmpty()
				.allSatisfy((service) -> assertThat(service.getKind()).isEqualTo("APIService"));
		}
	}

	private String group() {
		return this.namespace + ".example.com";
	}

	private static Informers informers(ApiClient client, ListMode mode) {
		return Informers.builder(client).timings(FAST).listMode(mode).build();
	}

	private <T extends KubernetesObject> InformerSpec<T> spec(Class<T> objectClass) {
		return InformerSpec.of(objectClass).withNamespaces(this.namespace);
	}

	private <T extends KubernetesObject> Watched<T> start(Informers informers, Class<T> objectClass)
			throws InterruptedException {
		Informer<T> informer = informers.informer(spec(objectClass));
		Recorder<T> recorder = new Recorder<>();
		HandlerRegistration registration = informer.addHandler(recorder, HandlerOptions.defaults());
		informers.start();
		assertThat(registration.awaitSync(LONG)).isTrue();
		await().atMost(LONG).until(() -> informer.state() == InformerState.LIVE);
		recorder.clear();
		return new Watched<>(informer, recorder, registration, informer.lister().namespace(this.namespace).get("kept"));
	}

	private Watched<V1Secret> startSecrets(Informers informers) throws Exception {
		createSecret("kept");
		createSecret("changed");
		createSecret("gone");
		return start(informers, V1Secret.class);
	}

	private void changeSecrets() throws ApiException {
		createSecret("late");
		V1Secret stored = this.core.readNamespacedSecret("changed", this.namespace).execute();
		this.core.replaceNamespacedSecret("changed", this.namespace, stored.stringData(Map.of("k", "v2"))).execute();
		this.core.deleteNamespacedSecret("gone", this.namespace).execute();
	}

	private void assertEqualToServer(Watched<V1Secret> secrets) throws ApiException {
		assertThat(ClusterSupport.versions(secrets.informer().lister().list()))
			.isEqualTo(ClusterSupport.versions(this.core.listNamespacedSecret(this.namespace).execute().getItems()));
		assertThat(secrets.informer().lister().namespace(this.namespace).get("kept")).isSameAs(secrets.kept());
		assertThat(secrets.registration().hasSynced()).isTrue();
	}

	private void createSecret(String name) throws ApiException {
		this.core
			.createNamespacedSecret(this.namespace,
					new V1Secret().metadata(new V1ObjectMeta().name(name)).stringData(Map.of("k", "v")))
			.execute();
	}

	private void createEvent(String name) throws ApiException {
		this.core
			.createNamespacedEvent(this.namespace,
					new CoreV1Event().metadata(new V1ObjectMeta().name(name))
						.involvedObject(new V1ObjectReference().kind("Secret").namespace(this.namespace).name(name))
						.type("Normal")
						.reason("Test")
						.message("v"))
			.execute();
	}

	private void expirePages() throws IOException {
		try {
			createEvent("late");
			ClusterSupport.compact();
		}
		catch (ApiException | InterruptedException ex) {
			throw new IOException(ex);
		}
	}

	private void grant() throws ApiException {
		V1ObjectMeta metadata = new V1ObjectMeta().name("reader");
		if (this.rbac.listNamespacedRole(this.namespace).execute().getItems().isEmpty()) {
			this.rbac
				.createNamespacedRole(this.namespace,
						new V1Role().metadata(metadata)
							.addRulesItem(new V1PolicyRule().addApiGroupsItem("")
								.addResourcesItem("secrets")
								.verbs(List.of("list", "watch"))))
				.execute();
		}
		this.rbac
			.createNamespacedRoleBinding(this.namespace, new V1RoleBinding().metadata(metadata)
				.roleRef(new V1RoleRef().apiGroup("rbac.authorization.k8s.io").kind("Role").name("reader"))
				.addSubjectsItem(
						new RbacV1Subject().apiGroup("rbac.authorization.k8s.io").kind("User").name(this.namespace)))
			.execute();
	}

	/**
	 * Takes what {@link #grant()} gave, and waits until the server has heard of it.
	 * @param client the client of somebody who may do everything
	 */
	private void deny(ApiClient client) throws ApiException {
		CoreV1Api denied = new CoreV1Api(limited(client));
		this.rbac.deleteNamespacedRoleBinding("reader", this.namespace).execute();
		await().atMost(LONG).until(() -> {
			try {
				denied.listNamespacedSecret(this.namespace).execute();
				return false;
			}
			catch (ApiException ex) {
				return ex.getCode() == 403;
			}
		});
	}

	/**
	 * Makes a client that of a user who may do what {@link #grant()} gives. Such a user
	 * needs no token, which would not outlive a server with new keys.
	 * @param client the client of somebody who may do everything
	 * @return the client
	 */
	private ApiClient limited(ApiClient client) {
		return client.addDefaultHeader("Impersonate-User", this.namespace);
	}

	private void define(ResourceType<?> type) throws ApiException {
		Map<String, Object> schema = Map.of("type", "object", "x-kubernetes-preserve-unknown-fields", true);
		Map<String, Object> version = Map.of("name", type.version(), "served", true, "storage", true, "schema",
				Map.of("openAPIV3Schema", schema));
		Map<String, Object> spec = Map.of("group", type.group(), "scope", "Namespaced", "names",
				Map.of("plural", type.plural(), "kind", type.kind()), "versions", List.of(version));
		this.customObjects.createClusterCustomObject("apiextensions.k8s.io", "v1", "customresourcedefinitions",
				Map.of("apiVersion", "apiextensions.k8s.io/v1", "kind", "CustomResourceDefinition", "metadata",
						Map.of("name", type.name()), "spec", spec))
			.execute();
	}

	private void create(ResourceType<?> type, String name) throws ApiException {
		this.customObjects
			.createNamespacedCustomObject(type.group(), type.version(), this.namespace, type.plural(),
					Map.of("apiVersion", type.apiVersion(), "kind", type.kind(), "metadata", Map.of("name", name),
							"size", 3))
			.execute();
	}

	/**
	 * An informer that is live, and what its handler receives from then on.
	 *
	 * @param <T> the model class
	 * @param informer the informer
	 * @param recorder the handler
	 * @param registration the handler at the informer
	 * @param kept the object that nobody changes; {@code null} if there is none
	 */
	private record Watched<T extends KubernetesObject>(Informer<T> informer, Recorder<T> recorder,
			HandlerRegistration registration, T kept) {

		List<String> delivered() {
			return this.recorder.delivered();
		}

		void awaitState(InformerState state) {
			await().atMost(LONG).until(() -> this.informer.state() == state);
		}

		void awaitOneRelist() {
			await().atMost(LONG).until(() -> delivered().size() >= 3);
			awaitState(InformerState.LIVE);
			assertThat(delivered()).startsWith("-gone?").containsExactlyInAnyOrder("-gone?", "~changed", "+late");
			assertThat(this.informer.status().lists().total()).isEqualTo(2);
			assertThat(this.informer.status().lastError().httpStatus()).isEqualTo(410);
			assertThat(this.informer.lister().list()).contains(this.kept);
			assertThat(this.registration.hasSynced()).isTrue();
		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "widgets")
	static class Widget extends CustomObject {

		private int size;

	}

}
