package dev.kubeinformer.docs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import com.google.gson.JsonParser;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.EventsV1Event;
import io.kubernetes.client.openapi.models.V1Condition;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ContainerState;
import io.kubernetes.client.openapi.models.V1ContainerStateWaiting;
import io.kubernetes.client.openapi.models.V1ContainerStatus;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1DeploymentStatus;
import io.kubernetes.client.openapi.models.V1Ingress;
import io.kubernetes.client.openapi.models.V1IngressBackend;
import io.kubernetes.client.openapi.models.V1IngressRule;
import io.kubernetes.client.openapi.models.V1IngressServiceBackend;
import io.kubernetes.client.openapi.models.V1IngressSpec;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodStatus;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServiceBackendPort;
import io.kubernetes.client.openapi.models.V1ServicePort;
import io.kubernetes.client.openapi.models.V1ServiceSpec;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import io.kubernetes.client.util.generic.options.CreateOptions;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.mockito.Mockito;
import org.mockito.stubbing.Answer;
import org.springframework.beans.BeanUtils;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.test.util.ReflectionTestUtils;

import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that each recipe of {@code docs/cookbook.md} does what the page says.
 */
@Tag("slow")
@Tag("once")
@TestInstance(Lifecycle.PER_CLASS)
class CookbookPageTests {

	private final RunningPage page;

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	CookbookPageTests() throws IOException {
		this.page = new RunningPage("docs/cookbook.md");
	}

	@AfterEach
	void reset() {
		this.kubernetes.reset();
	}

	@AfterAll
	void close() throws IOException {
		this.kubernetes.close();
		this.page.close();
	}

	@Test
	void secretShouldBeMirrored() {
		namespace("shared", Map.of());
		namespace("shop", Map.of("copy-registry", "true"));
		namespace("blog", Map.of());
		ApiResources<V1Secret> secrets = this.kubernetes.resources(V1Secret.class);
		secrets.create(secret("one"));
		runner("RegistrySecret").run((context) -> {
			idle(context, "registrySecret");
			assertThat(secrets.get("shop", "registry").getData().get("token")).asString().isEqualTo("one");
			assertThat(secrets.get("blog", "registry")).isNull();
			secrets.update(secret("two"));
			await().untilAsserted(() -> assertThat(secrets.get("shop", "registry").getData().get("token")).asString()
				.isEqualTo("two"));
			secrets.delete("shop", "registry");
			await().until(() -> secrets.get("shop", "registry") != null);
		});
	}

	@Test
	void namespaceShouldGetItsPolicy() {
		namespace("shop", Map.of());
		runner("DenyByDefault").run((context) -> {
			idle(context, "denyByDefault");
			assertThat(this.kubernetes.resources(V1NetworkPolicy.class).get("shop", "deny-by-default")).isNotNull();
		});
	}

	@Test
	void defaultShouldBeInjected() {
		namespace("shop", Map.of("app", "a"));
		namespace("blog", Map.of("team", "press"));
		runner("DefaultTeam").run((context) -> {
			idle(context, "defaultTeam");
			ApiResources<V1Namespace> namespaces = this.kubernetes.resources(V1Namespace.class);
			assertThat(namespaces.get("shop").getMetadata().getLabels()).containsEntry("team", "unassigned")
				.containsEntry("app", "a");
			assertThat(namespaces.get("blog").getMetadata().getLabels()).containsEntry("team", "press");
		});
	}

	@Test
	void deploymentShouldRestart() {
		ApiResources<V1ConfigMap> configMaps = this.kubernetes.resources(V1ConfigMap.class);
		ApiResources<V1Deployment> deployments = this.kubernetes.resources(V1Deployment.class);
		configMaps.create(configMap("web", Map.of(), Map.of(), Map.of("color", "red")));
		deployments.create(deployment("nginx:1", Map.of("restart-on-change", "true")));
		runner("RestartOnChange").run((context) -> {
			idle(context, "restartOnChange");
			String before = hash(deployments);
			assertThat(before).isNotNull().isNotEqualTo("none");
			configMaps.edit("shop", "web", (config) -> config.putDataItem("color", "blue"));
			await().until(() -> !before.equals(hash(deployments)));
		});
	}

	@Test
	void objectShouldExpire() {
		ApiResources<V1ConfigMap> configMaps = this.kubernetes.resources(V1ConfigMap.class);
		for (String name : List.of("old", "young")) {
			V1ConfigMap config = configMap(name, Map.of("expires", "true"),
					Map.of("time-to-live", name.equals("old") ? "PT1H" : "P4000D"), Map.of());
			configMaps.create(config);
		}
		// The embedded API stamps objects with the time of today.
		Instant later = OffsetDateTime.now(ZoneOffset.UTC).plusHours(2).toInstant();
		runner("ExpiringConfigMaps").withBean(Clock.class, () -> Clock.fixed(later, ZoneOffset.UTC)).run((context) -> {
			idle(context, "expiringConfigMaps");
			assertThat(configMaps.get("shop", "old")).isNull();
			assertThat(configMaps.get("shop", "young")).isNotNull();
		});
	}

	@Test
	void runShouldReturnUntilTheCertificateIsThere() {
		Object certificates = mock("Certificates", (call) -> "shop.example.com".equals(call.getArgument(0)));
		ApiResources<V1Ingress> ingresses = this.kubernetes.resources(V1Ingress.class);
		ingresses.create(ingress("shop"));
		ingresses.create(ingress("blog"));
		with(runner("CertificateReady"), "Certificates", certificates).run((context) -> {
			idle(context, "certificateReady");
			assertThat(ingresses.get("shop", "shop").getMetadata().getAnnotations()).containsEntry("certificate",
					"issued");
			assertThat(ingresses.get("shop", "blog").getMetadata().getAnnotations()).isNullOrEmpty();
		});
	}

	@Test
	void reportShouldRunOnTheLeader() {
		this.kubernetes.resources(V1Pod.class).create(pod("one", Map.of()));
		runner("NightlyReport")
			.withPropertyValues("kubernetes.leader.enabled=true", "kubernetes.leader.lease.namespace=default",
					"spring.application.name=cookbook")
			.run((context) -> {
				await().until(() -> context.getBean(Leadership.class).isLeader());
				await().untilAsserted(() -> {
					this.page.call(context, "NightlyReport", "report");
					assertThat(this.page.<Integer>call(context, "NightlyReport", "reported")).isOne();
				});
			});
	}

	@Test
	void crashLoopShouldBeReportedOnce() {
		ApiResources<V1Pod> pods = this.kubernetes.resources(V1Pod.class);
		runner("CrashLoops").run((context) -> {
			pods.create(pod("calm", Map.of()));
			pods.create(pod("looping", Map.of()));
			pods.edit("shop", "looping", (pod) -> pod.setStatus(crashLoop()));
			await().untilAsserted(() -> assertThat((Set<?>) field(context, "CrashLoops", "alerted")).hasSize(1));
			pods.delete("shop", "looping");
			await().untilAsserted(() -> assertThat((Set<?>) field(context, "CrashLoops", "alerted")).isEmpty());
		});
	}

	@Test
	void recordShouldFollowItsService() {
		List<String> calls = new CopyOnWriteArrayList<>();
		Object records = mock("DnsRecords",
				(call) -> calls.add(call.getMethod().getName() + " " + call.getArgument(0)));
		ApiResources<V1Service> services = this.kubernetes.resources(V1Service.class);
		services.create(
				new V1Service().metadata(new V1ObjectMeta().namespace("shop").name("web").putLabelsItem("dns", "true"))
					.spec(new V1ServiceSpec().addPortsItem(new V1ServicePort().port(80))));
		with(runner("ServiceRecord"), "DnsRecords", records).run((context) -> {
			idle(context, "serviceRecord");
			assertThat(services.get("shop", "web").getMetadata().getFinalizers()).hasSize(1);
			new CoreV1Api(context.getBean(ApiClient.class)).deleteNamespacedService("web", "shop").execute();
			await().until(() -> services.get("shop", "web") == null);
			assertThat(calls).startsWith("set web").endsWith("remove web");
		});
	}

	@Test
	void webhookShouldBeCalledForNewNamespacesOnly() {
		namespace("before", Map.of());
		List<String> posts = new CopyOnWriteArrayList<>();
		Object hook = mock("Hook", (call) -> posts.add(call.getArgument(0)));
		with(runner("NewNamespaces"), "Hook", hook).run((context) -> {
			await().until(() -> context.getBean(InformerHandlerRegistry.class).get("newNamespaces").hasSynced());
			namespace("after", Map.of());
			await().untilAsserted(() -> assertThat(posts).containsExactly("New namespace: after"));
		});
	}

	@Test
	void invalidScheduleShouldBeGivenUp() {
		namespace("shop", Map.of());
		ApiResources<V1ConfigMap> configMaps = this.kubernetes.resources(V1ConfigMap.class);
		configMaps.create(configMap("bad", Map.of("schedule", "true"), Map.of(), Map.of("every", "often")));
		runner("ParsedSchedule", "RunNow").run((context) -> {
			ReconcilerRegistry reconcilers = context.getBean(ReconcilerRegistry.class);
			await().until(() -> reconcilers.get("parsedSchedule").status().failing().size() == 1);
			await().untilAsserted(() -> assertThat(this.kubernetes.resources(EventsV1Event.class).list())
				.extracting(EventsV1Event::getReason)
				.containsExactly("InvalidSchedule"));
			configMaps.edit("shop", "bad", (config) -> config.putDataItem("every", "PT5M"));
			await().until(() -> reconcilers.get("parsedSchedule").status().failing().isEmpty());
			long runs = reconcilers.get("parsedSchedule").status().runs().total();
			this.page.call(context, "RunNow", "run", "shop", "bad");
			await().until(() -> reconcilers.get("parsedSchedule").status().runs().total() > runs);
		});
	}

	@Test
	void cacheShouldBeRead() {
		this.kubernetes.resources(V1Pod.class).create(pod("one", Map.of()));
		runner("PodsController").run((context) -> await()
			.untilAsserted(() -> assertThat(this.page.<List<?>>call(context, "PodsController", "pods", "shop"))
				.isEqualTo(List.of("one"))));
	}

	@Test
	void changeShouldBePushed() {
		runner("LiveNodes").run((context) -> {
			Object emitter = this.page.call(context, "LiveNodes", "live");
			this.kubernetes.resources(V1Node.class).create(new V1Node().metadata(new V1ObjectMeta().name("node-1")));
			await().untilAsserted(
					() -> assertThat((Collection<?>) ReflectionTestUtils.getField(emitter, "earlySendAttempts"))
						.anySatisfy((sent) -> assertThat(ReflectionTestUtils.invokeMethod(sent, "getData").toString())
							.isEqualTo("ADD node-1")));
		});
	}

	@Test
	void podsShouldBeCountedByTeam() {
		ApiResources<V1Pod> pods = this.kubernetes.resources(V1Pod.class);
		pods.create(pod("one", Map.of("team", "shop")));
		pods.create(pod("two", Map.of("team", "shop")));
		pods.create(pod("three", Map.of()));
		SimpleMeterRegistry registry = new SimpleMeterRegistry();
		runner("PodsByTeam").withBean(MeterRegistry.class, () -> registry)
			.run((context) -> await().untilAsserted(() -> {
				this.page.call(context, "PodsByTeam", "count");
				assertThat(registry.get("pods.by.team").tag("team", "shop").gauge().value()).isEqualTo(2);
			}));
	}

	@Test
	void podShouldBeFoundByItsAddress() {
		ApiResources<V1Pod> pods = this.kubernetes.resources(V1Pod.class);
		pods.create(pod("one", Map.of()));
		pods.edit("shop", "one", (pod) -> pod.setStatus(new V1PodStatus().podIP("10.0.0.7")));
		pods.create(pod("pending", Map.of()));
		runner("WhoIs").withUserConfiguration(this.page.type("PodsByAddress"))
			.run((context) -> await()
				.untilAsserted(() -> assertThat(this.page.<List<?>>call(context, "WhoIs", "at", "10.0.0.7"))
					.isEqualTo(List.of("one"))));
	}

	@Test
	void settingsShouldBeLive() {
		ApiResources<V1ConfigMap> configMaps = this.kubernetes.resources(V1ConfigMap.class);
		runner("LiveSettings").run((context) -> {
			assertThat(this.page.<String>call(context, "LiveSettings", "get", "color", "red")).isEqualTo("red");
			configMaps.create(configMap("settings", Map.of(), Map.of(), Map.of("color", "blue")));
			await().until(() -> "blue".equals(this.page.call(context, "LiveSettings", "get", "color", "red")));
		});
	}

	@Test
	void rolloutShouldBeAwaited() {
		ApiResources<V1Deployment> deployments = this.kubernetes.resources(V1Deployment.class);
		deployments.create(deployment("nginx:1", Map.of()));
		runner("Rollouts").run((context) -> {
			await().until(() -> context.getBean(InformerHandlerRegistry.class).get("rollouts").hasSynced());
			CompletableFuture<V1Deployment> future = this.page.call(context, "Rollouts", "await",
					new ObjectKey("shop", "web"));
			assertThat(future).isNotDone();
			deployments.edit("shop", "web",
					(deployment) -> deployment
						.setStatus(new V1DeploymentStatus().observedGeneration(deployment.getMetadata().getGeneration())
							.replicas(1)
							.updatedReplicas(1)
							.availableReplicas(1)));
			assertThat(future).succeedsWithin(Duration.ofSeconds(30));
		});
	}

	@Test
	void kindWithoutAClassShouldBeHandled() {
		this.kubernetes.serve("cert-manager.io", "v1", "certificates", "Certificate", true);
		runner("CertificateNames").run((context) -> {
			DynamicKubernetesObject one = new DynamicKubernetesObject(JsonParser.parseString("""
					{"apiVersion": "cert-manager.io/v1", "kind": "Certificate", "metadata": {"name": "one"}, \
					"spec": {"secretName": "tls"}}""").getAsJsonObject());
			new DynamicKubernetesApi("cert-manager.io", "v1", "certificates", context.getBean(ApiClient.class))
				.create("default", one, new CreateOptions());
			await().untilAsserted(() -> assertThat(this.page.<Set<?>>call(context, "CertificateNames", "names"))
				.isEqualTo(Set.of("tls")));
		});
	}

	@Test
	void changeOfTheImageShouldBeSeen() {
		ApiResources<V1Deployment> deployments = this.kubernetes.resources(V1Deployment.class);
		deployments.create(deployment("nginx:1", Map.of()));
		runner("ImageChanges").run((context) -> {
			await().until(() -> context.getBean(InformerHandlerRegistry.class).get("imageChanges").hasSynced());
			deployments.edit("shop", "web", (deployment) -> deployment.getSpec().setReplicas(2));
			deployments.edit("shop", "web",
					(deployment) -> deployment.getSpec()
						.getTemplate()
						.getSpec()
						.getContainers()
						.get(0)
						.setImage("nginx:2"));
			await()
				.untilAsserted(() -> assertThat(this.page.<Integer>call(context, "ImageChanges", "changes")).isOne());
		});
	}

	@Test
	void conditionShouldBeSet() {
		this.kubernetes.serve("cookbook.example.com", "v1", "teams", "Team", true);
		Class<? extends KubernetesObject> model = this.page.type("Team").asSubclass(KubernetesObject.class);
		ApiResources<? extends KubernetesObject> teams = this.kubernetes.resources(model, "cookbook.example.com", "v1",
				"teams");
		create(teams, model);
		runner("PodsReady").run((context) -> {
			idle(context, "podsReady");
			assertThat(condition(teams).getReason()).isEqualTo("NoContact");
			teams.edit("shop", "one", (team) -> ReflectionTestUtils.setField(ReflectionTestUtils.getField(team, "spec"),
					"contact", "shop@example.com"));
			await().untilAsserted(() -> assertThat(condition(teams).getStatus()).isEqualTo("True"));
		});
	}

	private static V1Condition condition(ApiResources<? extends KubernetesObject> teams) {
		Object status = ReflectionTestUtils.getField(teams.get("shop", "one"), "status");
		return (V1Condition) ((List<?>) ReflectionTestUtils.getField(status, "conditions")).get(0);
	}

	private static <T extends KubernetesObject> void create(ApiResources<T> resources, Class<?> model) {
		@SuppressWarnings("unchecked")
		T one = (T) BeanUtils.instantiateClass(model);
		one.getMetadata().namespace("shop").name("one");
		resources.create(one);
	}

	private ApplicationContextRunner runner(String... types) {
		return this.page.runner(this.kubernetes, types);
	}

	@SuppressWarnings("unchecked")
	private ApplicationContextRunner with(ApplicationContextRunner runner, String type, Object bean) {
		return runner.withBean((Class<Object>) this.page.type(type), () -> bean);
	}

	private Object mock(String type, Answer<Object> answer) {
		return Mockito.mock(this.page.type(type), (call) -> {
			Object result = answer.answer(call);
			return (call.getMethod().getReturnType() == void.class) ? null : result;
		});
	}

	private Object field(ApplicationContext context, String type, String name) {
		return ReflectionTestUtils.getField(context.getBean(this.page.type(type)), name);
	}

	private static void idle(ApplicationContext context, String reconciler) throws InterruptedException {
		ReconcilerRegistry reconcilers = context.getBean(ReconcilerRegistry.class);
		assertThat(reconcilers.awaitIdle(Duration.ofSeconds(30))).isTrue();
		assertThat(reconcilers.get(reconciler).status().failing()).isEmpty();
	}

	private void namespace(String name, Map<String, String> labels) {
		this.kubernetes.resources(V1Namespace.class)
			.createOrUpdate(new V1Namespace().metadata(new V1ObjectMeta().name(name).labels(labels)));
	}

	private static String hash(ApiResources<V1Deployment> deployments) {
		return deployments.get("shop", "web").getSpec().getTemplate().getMetadata().getAnnotations().get("config-hash");
	}

	private static V1Secret secret(String token) {
		return new V1Secret().metadata(new V1ObjectMeta().namespace("shared").name("registry"))
			.putDataItem("token", token.getBytes(StandardCharsets.UTF_8));
	}

	private static V1ConfigMap configMap(String name, Map<String, String> labels, Map<String, String> annotations,
			Map<String, String> data) {
		return new V1ConfigMap()
			.metadata(new V1ObjectMeta().namespace("shop").name(name).labels(labels).annotations(annotations))
			.data(data);
	}

	private static V1Deployment deployment(String image, Map<String, String> labels) {
		Map<String, String> app = Map.of("app", "web");
		return new V1Deployment().metadata(new V1ObjectMeta().namespace("shop").name("web").labels(labels))
			.spec(new V1DeploymentSpec().replicas(1)
				.selector(new V1LabelSelector().matchLabels(app))
				.template(new V1PodTemplateSpec().metadata(new V1ObjectMeta().labels(app))
					.spec(new V1PodSpec().addContainersItem(new V1Container().name("web").image(image)))));
	}

	private static V1Pod pod(String name, Map<String, String> labels) {
		return new V1Pod().metadata(new V1ObjectMeta().namespace("shop").name(name).labels(labels))
			.spec(new V1PodSpec().addContainersItem(new V1Container().name("web").image("nginx")));
	}

	private static V1PodStatus crashLoop() {
		V1ContainerStateWaiting waiting = new V1ContainerStateWaiting().reason("CrashLoopBackOff");
		return new V1PodStatus().addContainerStatusesItem(new V1ContainerStatus().name("web")
			.image("nginx")
			.imageID("nginx")
			.ready(false)
			.restartCount(3)
			.state(new V1ContainerState().waiting(waiting)));
	}

	private static V1Ingress ingress(String name) {
		V1IngressBackend backend = new V1IngressBackend()
			.service(new V1IngressServiceBackend().name("web").port(new V1ServiceBackendPort().number(80)));
		return new V1Ingress().metadata(new V1ObjectMeta().namespace("shop").name(name))
			.spec(new V1IngressSpec().defaultBackend(backend)
				.addRulesItem(new V1IngressRule().host(name + ".example.com")));
	}

}
