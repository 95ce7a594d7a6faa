package dev.kubeinformer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.kubernetes.client.Discovery;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.RbacAuthorizationV1Api;
import io.kubernetes.client.openapi.models.AuthenticationV1TokenRequest;
import io.kubernetes.client.openapi.models.RbacV1Subject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodList;
import io.kubernetes.client.openapi.models.V1PolicyRule;
import io.kubernetes.client.openapi.models.V1Role;
import io.kubernetes.client.openapi.models.V1RoleBinding;
import io.kubernetes.client.openapi.models.V1RoleRef;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import io.kubernetes.client.openapi.models.V1TokenRequestSpec;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import io.kubernetes.client.util.credentials.AccessTokenAuthentication;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.informer.RequiredRbac;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.test.FaultProxy;
import dev.kubeinformer.test.RequiresCluster;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListMode;

import static dev.kubeinformer.EngineTestSupport.engineThreads;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Informers against a real kube-apiserver. They work in a namespace of their own.
 */
@RequiresCluster
class ClusterTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final String namespace = "informer-test-" + UUID.randomUUID().toString().substring(0, 8);

	private ApiClient admin;

	private CoreV1Api core;

	private Informers informers;

	@BeforeEach
	void connect(Path kubeconfig) throws IOException, ApiException {
		this.admin = ClusterSupport.client(kubeconfig);
		this.core = new CoreV1Api(this.admin);
		this.core.createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(this.namespace))).execute();
	}

	@AfterEach
	void disconnect() throws ApiException {
		if (this.informers != null) {
			this.informers.close();
		}
		await().untilAsserted(() -> assertThat(engineThreads()).isEmpty());
		for (V1ConfigMap configMap : this.core.listNamespacedConfigMap(this.namespace).execute().getItems()) {
			this.core.deleteNamespacedConfigMap(configMap.getMetadata().getName(), this.namespace).execute();
		}
		this.core.deleteNamespace(this.namespace).execute();
	}

	@ParameterizedTest
	@EnumSource(value = ListMode.class, names = { "AUTO", "PAGED" })
	void everyPodOfTheClusterIsAddedOnceAndTheListerAgrees(ListMode mode, Path kubeconfig) throws Exception {
		use(mode, kubeconfig);
		Map<String, String> expected = podsOfTheServer();
		Informer<V1Pod> pods = this.informers.informer(V1Pod.class);
		Recorder<V1Pod> recorder = new Recorder<>();
		HandlerRegistration registration = pods.addHandler(recorder, HandlerOptions.defaults());
		this.informers.start();
		assertThat(registration.awaitSync(LONG)).isTrue();
		assertThat(ClusterSupport.versions(recorder.events().stream().map(ResourceEvent::object).toList()))
			.isEqualTo(expected);
		assertThat(recorder.events()).hasSize(expected.size())
			.allMatch((event) -> event.type() == ResourceEvent.Type.ADD && event.initial());
		assertThat(ClusterSupport.versions(pods.lister().list())).isEqualTo(expected);
	}

	@ParameterizedTest
	@EnumSource(value = ListMode.class, names = { "AUTO", "PAGED" })
	void changesArriveAndAtRestHandlerAndListerAgreeWithTheServer(ListMode mode, Path kubeconfig) throws Exception {
		use(mode, kubeconfig);
		create("present");
		Informer<V1ConfigMap> configMaps = this.informers
			.informer(InformerSpec.of(V1ConfigMap.class).withNamespaces(this.namespace));
		Recorder<V1ConfigMap> recorder = new Recorder<>();
		HandlerRegistration registration = configMaps.addHandler(recorder, HandlerOptions.defaults());
		this.informers.start();
		assertThat(registration.awaitSync(LONG)).isTrue();
		create("a");
		V1ConfigMap stored = this.core.readNamespacedConfigMap("a", this.namespace).execute();
		this.core.replaceNamespacedConfigMap("a", this.namespace, stored.putDataItem("k", "v2")).execute();
		this.core.deleteNamespacedConfigMap("a", this.namespace).execute();
		create("b");
		await().atMost(LONG)
			.untilAsserted(() -> assertThat(recorder.delivered()).containsExactly("+present", "+a", "~a", "-a", "+b"));
		assertThat(ClusterSupport.versions(configMaps.lister().list()))
			.isEqualTo(ClusterSupport.versions(this.core.listNamespacedConfigMap(this.namespace).execute().getItems()));
		assertThat(configMaps.status().lists().total()).isEqualTo(1);
		assertThat(configMaps.lister().namespace(this.namespace).get("b").getMetadata().getManagedFields()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(value = ListMode.class, names = { "AUTO", "PAGED" })
	void networkThatIsCutForTenSecondsCostsNoListAndNoDuplicate(ListMode mode, Path kubeconfig) throws Exception {
		create("a");
		try (FaultProxy network = ClusterSupport.network(kubeconfig);
				Informers behindProxy = Informers.builder(ClusterSupport.proxied(kubeconfig, network))
					.listMode(mode)
					.build()) {
			Informer<V1ConfigMap> configMaps = behindProxy
				.informer(InformerSpec.of(V1ConfigMap.class).withNamespaces(this.namespace));
			Recorder<V1ConfigMap> recorder = new Recorder<>();
			HandlerRegistration registration = configMaps.addHandler(recorder, HandlerOptions.defaults());
			behindProxy.start();
			assertThat(registration.awaitSync(LONG)).isTrue();
			await().until(() -> configMaps.state() == InformerState.LIVE);
			network.cut();
			await().until(() -> configMaps.state() == InformerState.STALE);
			this.core.deleteNamespacedConfigMap("a", this.namespace).execute();
			create("b");
			await().during(Duration.ofSeconds(10))
				.atMost(LONG)
				.until(() -> configMaps.state() == InformerState.STALE && registration.hasSynced());
			network.restore();
			await().atMost(LONG)
				.untilAsserted(() -> assertThat(recorder.delivered()).containsExactly("+a", "-a", "+b"));
			assertThat(configMaps.state()).isEqualTo(InformerState.LIVE);
			assertThat(configMaps.status().lists().total()).isEqualTo(1);
		}
	}

	@Test
	void missingRbacRuleIsNamedAndItsArrivalNoticed(Path kubeconfig) throws Exception {
		create("a");
		try (Informers limited = Informers.builder(withoutRights(kubeconfig)).timings(EngineTestSupport.FAST).build()) {
			Informer<V1ConfigMap> configMaps = limited
				.informer(InformerSpec.of(V1ConfigMap.class).withNamespaces(this.namespace));
			limited.start();
			await().atMost(LONG).until(() -> configMaps.state() == InformerState.FORBIDDEN);
			RequiredRbac missing = configMaps.status().requiredRbac().get(0);
			assertThat(missing).hasToString("Role in namespace '" + this.namespace
					+ "' with apiGroups: [\"\"], resources: [\"configmaps\"], verbs: [\"list\", \"watch\"]");
			grant(missing);
			await().atMost(LONG).until(() -> configMaps.state() == InformerState.LIVE);
			assertThat(configMaps.snapshot().keys()).contains(this.namespace + "/a");
		}
	}

	@Test
	void catalogueAgreesWithDiscovery() throws ApiException {
		Map<String, ResourceType<?>> catalogue = catalogue();
		Set<String> wrong = new TreeSet<>();
		Set<String> found = new HashSet<>();
		for (Discovered each : builtInTypesOfTheServer()) {
			ResourceType<?> type = catalogue.get(each.name());
			if (type != null) {
				found.add(each.name());
				if (!type.kind().equals(each.kind()) || type.namespaced() != each.namespaced()) {
					wrong.add(each.name());
				}
			}
			else if (each.hasModel()) {
				wrong.add(each.name() + " is missing");
			}
		}
		assertThat(wrong).isEmpty();
		assertThat(found).contains("pods.v1", "deployments.v1.apps", "leases.v1.coordination.k8s.io")
			.hasSizeGreaterThan(40);
	}

	/**
	 * A server may be newer than the official client, and serve types that this has no
	 * models of.
	 */
	@Test
	void typesThatTheOfficialClientLacksAreReadByTheirNames(Path kubeconfig) throws Exception {
		Set<String> catalogue = catalogue().keySet();
		List<Discovered> lacking = builtInTypesOfTheServer().stream()
			.filter((each) -> !catalogue.contains(each.name()))
			.toList();
		assumeFalse(lacking.isEmpty(), "The official client has models of all types of the server");
		use(ListMode.AUTO, kubeconfig);
		List<Informer<DynamicKubernetesObject>> informers = lacking.stream()
			.map((each) -> this.informers.informer(InformerSpec.dynamic(each.group(), each.version(), each.plural())))
			.toList();
		this.informers.start();
		await().atMost(LONG)
			.untilAsserted(() -> assertThat(informers).allMatch((informer) -> informer.state() == InformerState.LIVE));
	}

	/** A server may be older than the official client, or not serve an alpha version. */
	@Test
	void typeThatTheServerLacksIsSaidToBeUnknown(Path kubeconfig) throws Exception {
		Set<String> served = builtInTypesOfTheServer().stream().map(Discovered::name).collect(Collectors.toSet());
		ResourceType<?> lacking = ResourceType.builtIn()
			.stream()
			.filter((type) -> !served.contains(type.toString()))
			.findFirst()
			.orElse(null);
		assumeTrue(lacking != null, "The server has all types of the official client");
		use(ListMode.AUTO, kubeconfig);
		Informer<?> informer = this.informers.informer(InformerSpec.of(lacking));
		this.informers.start();
		await().atMost(LONG).until(() -> informer.state() == InformerState.NOT_FOUND);
	}

	private static Map<String, ResourceType<?>> catalogue() {
		return ResourceType.builtIn().stream().collect(Collectors.toMap(ResourceType::toString, Function.identity()));
	}

	/** Listable types, of groups and versions of which the catalogue has any. */
	private List<Discovered> builtInTypesOfTheServer() throws ApiException {
		Set<String> groups = ResourceType.builtIn()
			.stream()
			.map((type) -> type.group() + "/" + type.version())
			.collect(Collectors.toSet());
		return new Discovery(this.admin).findAll()
			.stream()
			.filter((resource) -> !resource.getKind().matches(".*Review|Binding|TokenRequest"))
			.flatMap((resource) -> resource.getVersions()
				.stream()
				.filter((version) -> groups.contains(resource.getGroup() + "/" + version))
				.map((version) -> new Discovered(resource.getGroup(), version, resource.getResourcePlural(),
						resource.getKind(), resource.getNamespaced())))
			.toList();
	}

	private void use(ListMode mode, Path kubeconfig) throws IOException {
		this.informers = Informers.builder(ClusterSupport.client(kubeconfig)).listMode(mode).build();
	}

	private Map<String, String> podsOfTheServer() throws ApiException {
		Map<String, String> found = new HashMap<>();
		String next = "";
		do {
			V1PodList page = this.core.listPodForAllNamespaces()
				.limit(500)
				._continue(next.isEmpty() ? null : next)
				.execute();
			found.putAll(ClusterSupport.versions(page.getItems()));
			next = Objects.requireNonNullElse(page.getMetadata().getContinue(), "");
		}
		while (!next.isEmpty());
		return found;
	}

	private void create(String name) throws ApiException {
		this.core
			.createNamespacedConfigMap(this.namespace,
					new V1ConfigMap().metadata(new V1ObjectMeta().name(name)).putDataItem("k", "v"))
			.execute();
	}

	private void grant(RequiredRbac missing) throws ApiException {
		RbacAuthorizationV1Api rbac = new RbacAuthorizationV1Api(this.admin);
		rbac.createNamespacedRole(this.namespace,
				new V1Role().metadata(new V1ObjectMeta().name("reader"))
					.addRulesItem(new V1PolicyRule().addApiGroupsItem(missing.apiGroup())
						.addResourcesItem(missing.resource())
						.verbs(missing.verbs())))
			.execute();
		rbac.createNamespacedRoleBinding(this.namespace, new V1RoleBinding().metadata(new V1ObjectMeta().name("reader"))
			.roleRef(new V1RoleRef().apiGroup("rbac.authorization.k8s.io").kind("Role").name("reader"))
			.addSubjectsItem(new RbacV1Subject().kind("ServiceAccount").name("limited").namespace(this.namespace)))
			.execute();
	}

	private ApiClient withoutRights(Path kubeconfig) throws ApiException, IOException {
		this.core
			.createNamespacedServiceAccount(this.namespace,
					new V1ServiceAccount().metadata(new V1ObjectMeta().name("limited")))
			.execute();
		String token = this.core
			.createNamespacedServiceAccountToken("limited", this.namespace,
					new AuthenticationV1TokenRequest().spec(new V1TokenRequestSpec().audiences(List.of())))
			.execute()
			.getStatus()
			.getToken();
		try (java.io.Reader reader = Files.newBufferedReader(kubeconfig)) {
			return ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(reader))
				.setAuthentication(new AccessTokenAuthentication(token))
				.build();
		}
	}

	/**
	 * A type that the server has.
	 *
	 * @param group the API group
	 * @param version the version
	 * @param plural the plural
	 * @param kind the kind
	 * @param namespaced whether its objects are in namespaces
	 */
	private record Discovered(String group, String version, String plural, String kind, boolean namespaced) {

		String name() {
			return this.plural + "." + this.version + (this.group.isEmpty() ? "" : "." + this.group);
		}

		boolean hasModel() {
			String model = Character.toUpperCase(this.version.charAt(0)) + this.version.substring(1) + this.kind;
			return ClusterTests.class.getResource("/io/kubernetes/client/openapi/models/" + model + ".class") != null;
		}

	}

}
