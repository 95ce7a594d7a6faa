package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.StreamSupport;

import com.jayway.jsonpath.JsonPath;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.yaml.snakeyaml.Yaml;

import dev.kubeinformer.Informers;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.spring.RecordingHandler;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.InformerSource;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.annotation.OnUpdate;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the endpoint as it answers over HTTP.
 */
@Tag("slow")
class InformersEndpointHttpTests {

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
	void everyKindOfRequestShouldBeAnsweredOnBothWebStacks(WebApplicationType type) {
		this.application = run(type, List.of(PodHandler.class, NodeReader.class), EndpointApplication.UNRESTRICTED);
		awaitSync("podHandler");
		HttpResponse<String> all = this.application.get("");
		assertThat(all.statusCode()).isEqualTo(200);
		assertThat(contentType(all)).isEqualTo("application/vnd.spring-boot.actuator.v3+json");
		assertThat(JsonPath.<List<String>>read(all.body(), "$.informers[*].id")).containsExactly("nodes", "pods");
		assertThat(JsonPath.<List<String>>read(all.body(), "$.handlers[*].id")).containsExactly("podHandler");
		assertThat(contentType(this.application.get("/podHandler")))
			.isEqualTo("application/vnd.spring-boot.actuator.v3+json");
		assertThat(this.application.<String>read("/podHandler", "$.bean")).endsWith("PodHandler");
		assertThat(this.application.<String>read("/pods", "$.spec.resource")).isEqualTo("pods");
		assertThat(this.application.get("/nobody").statusCode()).isEqualTo(404);
		HttpResponse<String> rbac = this.application.get("/rbac");
		assertThat(rbac.statusCode()).isEqualTo(200);
		assertThat(contentType(rbac)).startsWith("application/yaml");
		assertThat(rbac.body()).contains("kind: ClusterRole");
		HttpResponse<String> paused = this.application.act("podHandler", "PAUSE");
		assertThat(paused.statusCode()).isEqualTo(200);
		assertThat(JsonPath.<String>read(paused.body(), "$.state")).isEqualTo("PAUSED");
		assertThat(this.application.act("podHandler", "EXPLODE").statusCode()).isEqualTo(400);
		assertThat(this.application.act("nobody", "PAUSE").statusCode()).isEqualTo(404);
	}

	@Test
	void informerShouldBeDescribed() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one", Map.of("app", "shop")));
		this.application = run(List.of(NarrowReader.class));
		String id = this.application.<List<String>>read("", "$.informers[*].id").get(0);
		assertThat(id).matches("pods-[0-9a-f]{8}");
		await().until(() -> this.application.<String>read("/" + id, "$.state").equals("LIVE"));
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "two", Map.of("app", "shop")));
		await().until(() -> this.application.<Integer>read("/" + id, "$.cacheSize") == 2);
		String body = this.application.get("/" + id).body();
		assertThat(JsonPath.<Map<String, Object>>read(body, "$.spec")).containsOnly(Map.entry("resource", "pods"),
				Map.entry("apiVersion", "v1"), Map.entry("kind", "Pod"),
				Map.entry("namespaces", List.of("batch", "web")), Map.entry("labelSelector", "app=shop"),
				Map.entry("fieldSelector", "spec.nodeName!=n1"), Map.entry("metadataOnly", false));
		assertThat(JsonPath.<Boolean>read(body, "$.synced")).isTrue();
		assertThat(Instant.parse(JsonPath.read(body, "$.syncedAt"))).isBefore(Instant.now());
		assertThat(Instant.parse(JsonPath.read(body, "$.since"))).isBefore(Instant.now());
		assertThat(JsonPath.<String>read(body, "$.resourceVersion")).matches("[1-9][0-9]*");
		assertThat(JsonPath.<Integer>read(body, "$.lists")).isEqualTo(2);
		assertThat(JsonPath.<Map<String, Object>>read(body, "$.relists")).isEmpty();
		assertThat(JsonPath.<Map<String, Object>>read(body, "$.watchRestarts")).isEmpty();
		assertThat(JsonPath.<Integer>read(body, "$.regressions")).isZero();
		assertThat(JsonPath.<String>read(body, "$.encoding")).isEqualTo("JSON");
		assertThat(JsonPath.<Integer>read(body, "$.quarantined")).isZero();
		assertThat(JsonPath.<String>read(body, "$.lastEventAge")).matches("[0-9]+s");
		assertThat(Instant.parse(JsonPath.read(body, "$.lastEventAt"))).isBefore(Instant.now());
		assertThat(JsonPath.<List<Object>>read(body, "$.handlers")).isEmpty();
		assertThat(body).doesNotContain("lastError", "\"shard\"", "\"metadata\"");
	}

	@Test
	void shardAndMetadataFormShouldBeDescribed() {
		this.kubernetes.resources(V1Pod.class).fill(30, (i) -> TestObjects.pod("web", "p" + i));
		this.application = run(List.of(ShardReader.class));
		assertThat(this.application.<List<String>>read("", "$.informers[*].id"))
			.containsExactly("pods-metadata-uid-2-of-3", "secrets-metadata");
		await().until(() -> this.application.<String>read("/pods-metadata-uid-2-of-3", "$.state").equals("LIVE"));
		String body = this.application.get("/pods-metadata-uid-2-of-3").body();
		assertThat(JsonPath.<Boolean>read(body, "$.spec.metadataOnly")).isTrue();
		assertThat(JsonPath.<String>read(body, "$.metadata")).isEqualTo("SERVER");
		assertThat(JsonPath.<Map<String, Object>>read(body, "$.shard")).containsOnly(Map.entry("key", "UID"),
				Map.entry("index", 2), Map.entry("total", 3), Map.entry("mode", "CLIENT"),
				Map.entry("foreign", 30 - JsonPath.<Integer>read(body, "$.cacheSize")));
		assertThat(this.application.get("/secrets-metadata").body()).doesNotContain("\"shard\"");
	}

	@Test
	void namespacesShouldBeThoseThatAreCachedNow() {
		this.application = run(List.of(NarrowReader.class));
		this.application.bean(Informers.class).all().iterator().next().addNamespace("late");
		assertThat(this.application.<List<String>>read("", "$.informers[0].spec.namespaces")).containsExactly("batch",
				"late", "web");
		assertThat(this.application.get("/rbac").body()).contains("namespace: late");
	}

	@Test
	void handlerShouldBeDescribed() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.application = run(List.of(PodHandler.class), "kubernetes.informers.handlers.podHandler.resync=90m",
				"kubernetes.informers.handlers.podHandler.concurrency=3",
				"kubernetes.informers.handlers.podHandler.queue-capacity=77");
		awaitSync("podHandler");
		await().until(() -> this.application.<Integer>read("/podHandler", "$.processed") == 1);
		Map<String, Object> body = JsonPath.read(this.application.get("/podHandler").body(), "$");
		assertThat(body).containsEntry("informer", "pods")
			.containsEntry("resource", "pods")
			.containsEntry("state", "RUNNING")
			.containsEntry("autoStartup", true)
			.containsEntry("readiness", true)
			.containsEntry("synced", true)
			.containsEntry("resync", "90m")
			.containsEntry("concurrency", 3)
			.containsEntry("queueCapacity", 77)
			.containsEntry("queueSize", 0)
			.containsEntry("failed", 0)
			.containsEntry("retries", 0)
			.containsEntry("exhausted", 0)
			.containsEntry("merged", 0)
			.containsKey("syncedAt")
			.doesNotContainKeys("lastError", "handling");
		String type = PodHandler.class.getName();
		assertThat(body.get("methods")).isEqualTo(Map.of("ADD", type + ".added(V1Pod)", "UPDATE",
				type + ".changed(V1Pod, V1Pod)", "DELETE", type + ".removed(ResourceEvent<V1Pod>)"));
	}

	@Test
	void methodsOfHandlerInTheStyleOfTheOfficialClientShouldBeThoseOfItsClass() {
		this.application = run(List.of(OfficialHandler.class));
		String type = OfficialHandler.class.getName();
		assertThat(this.application.<Map<String, Object>>read("/official", "$.methods"))
			.isEqualTo(Map.of("ADD", type + ".onAdd(V1ConfigMap)", "UPDATE",
					type + ".onUpdate(V1ConfigMap, V1ConfigMap)", "DELETE", type + ".onDelete(V1ConfigMap, boolean)"));
	}

	@Test
	void failuresOfHandlerShouldBeCountedWithoutTheirMessage() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.application = run(List.of(FailingHandler.class), "kubernetes.informers.retry.max-retries=1",
				"kubernetes.informers.retry.delay=1ms", "kubernetes.informers.retry.jitter=0");
		await().until(() -> this.application.<Integer>read("/failingHandler", "$.exhausted") == 1);
		HttpResponse<String> response = this.application.get("/failingHandler");
		assertThat(response.body()).doesNotContain("s3cret");
		Map<String, Object> body = JsonPath.read(response.body(), "$");
		assertThat(body).containsEntry("failed", 2).containsEntry("retries", 1).containsEntry("processed", 0);
		assertThat(JsonPath.<Map<String, Object>>read(response.body(), "$.lastError"))
			.containsEntry("exception", IllegalArgumentException.class.getName())
			.containsEntry("object", "web/one")
			.containsOnlyKeys("at", "exception", "object");
	}

	@Test
	void handlerThatIsBusyShouldNameTheObject() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.application = run(List.of(BlockingHandler.class));
		await().until(() -> this.application.get("/blockingHandler").body().contains("\"handling\""));
		assertThat(this.application.<String>read("/blockingHandler", "$.handling.object")).isEqualTo("web/one");
		assertThat(this.application.<Integer>read("/blockingHandler", "$.pendingInitial")).isEqualTo(1);
		this.application.bean(BlockingHandler.class).release.countDown();
	}

	@Test
	void errorOfTheServerShouldBeShownWithoutItsMessage() {
		this.kubernetes.faults().on(Requests.of("pods")).forbid();
		this.application = run(List.of(PodHandler.class));
		await().until(() -> this.application.<String>read("/pods", "$.state").equals("FORBIDDEN"));
		assertThat(this.application.<Map<String, Object>>read("/pods", "$.lastError")).containsEntry("httpStatus", 403)
			.containsEntry("reason", "Forbidden")
			.doesNotContainKey("message");
		assertThat(this.application.<List<String>>read("/pods", "$.requiredRbac")).singleElement()
			.asString()
			.contains("ClusterRole", "pods");
		assertThat(this.application.get("/pods").body()).doesNotContain("resourceVersion");
	}

	@Test
	void objectThatCannotBeReadShouldBeNamedByItsField() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.kubernetes.faults()
			.corrupt(V1Pod.class, "web", "one",
					(json) -> json.replaceFirst("\\}$", ",\"spec\":{\"containers\":\"s3cret\"}}"));
		this.application = run(List.of(PodHandler.class));
		await().until(() -> this.application.<Integer>read("/pods", "$.quarantined") == 1);
		assertThat(this.application.<String>read("/pods", "$.lastError.message")).contains("web/one",
				"spec.containers");
		assertThat(this.application.get("/pods").body()).doesNotContain("s3cret");
	}

	@Test
	void relistsAndRestartsOfWatchesShouldBeCountedByReason() {
		this.application = run(List.of(PodHandler.class));
		awaitSync("podHandler");
		this.kubernetes.awaitWatches(1);
		this.kubernetes.dropConnections();
		await().until(() -> this.application.<Map<String, Object>>read("/pods", "$.watchRestarts").size() == 1);
		this.kubernetes.awaitWatches(1);
		this.kubernetes.stopServing();
		await().until(() -> this.application.<String>read("/pods", "$.state").equals("STALE"));
		this.kubernetes.resources(V1Pod.class).fill(3, (i) -> TestObjects.pod("web", "p" + i));
		this.kubernetes.compact();
		this.kubernetes.resumeServing();
		await().until(() -> this.application.<Integer>read("/pods", "$.lists") == 2);
		assertThat(this.application.<Map<String, Object>>read("/pods", "$.relists")).isEqualTo(Map.of("EXPIRED", 1));
		assertThat(this.application.<Map<String, Integer>>read("/pods", "$.watchRestarts").values())
			.allMatch((number) -> number > 0);
		assertThat(this.application.<Map<String, Object>>read("/pods", "$.watchRestarts")).containsKey("EXPIRED");
	}

	@Test
	void handlersThatAreNoBeansShouldBeNamedAtTheirInformer() {
		this.application = run(List.of(PodHandler.class));
		this.application.bean(Informers.class).informer(V1Pod.class).addHandler((event) -> {
		}, HandlerOptions.defaults().withId("byHand"));
		assertThat(this.application.<List<String>>read("/pods", "$.handlers")).containsExactly("podHandler", "byHand");
		assertThat(this.application.get("/byHand").statusCode()).isEqualTo(404);
	}

	@Test
	void pauseShouldHoldEventsBackUntilResume() {
		this.application = run(List.of(PodHandler.class), EndpointApplication.UNRESTRICTED);
		PodHandler handler = this.application.bean(PodHandler.class);
		awaitSync("podHandler");
		assertThat(this.application.act("podHandler", "PAUSE").statusCode()).isEqualTo(200);
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		await().until(() -> this.application.<Integer>read("/podHandler", "$.queueSize") == 1);
		assertThat(handler.calls()).isEmpty();
		assertThat(this.application.act("podHandler", "RESUME").statusCode()).isEqualTo(200);
		await().untilAsserted(() -> assertThat(handler.calls()).containsExactly("added one"));
		assertThat(this.application.<String>read("/podHandler", "$.state")).isEqualTo("RUNNING");
	}

	@Test
	void resyncShouldTellEveryObjectAgain() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.application = run(List.of(PodHandler.class), EndpointApplication.UNRESTRICTED);
		PodHandler handler = this.application.bean(PodHandler.class);
		await().untilAsserted(() -> assertThat(handler.calls()).containsExactly("added one"));
		awaitSync("podHandler");
		assertThat(this.application.act("podHandler", "resync").statusCode()).isEqualTo(200);
		await().untilAsserted(() -> assertThat(handler.calls()).containsExactly("added one", "changed one"));
	}

	@Test
	void stopShouldRemoveTheHandlerAndStartShouldBringItBack() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.application = run(List.of(PodHandler.class), EndpointApplication.UNRESTRICTED);
		PodHandler handler = this.application.bean(PodHandler.class);
		await().untilAsserted(() -> assertThat(handler.calls()).containsExactly("added one"));
		HttpResponse<String> stopped = this.application.act("podHandler", "STOP");
		assertThat(JsonPath.<String>read(stopped.body(), "$.state")).isEqualTo("STOPPED");
		assertThat(this.application.bean(InformerHandlerRegistry.class).get("podHandler").isRunning()).isFalse();
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "two"));
		await().until(() -> this.application.<Integer>read("/pods", "$.cacheSize") == 2);
		assertThat(handler.calls()).containsExactly("added one");
		HttpResponse<String> started = this.application.act("podHandler", "START");
		assertThat(JsonPath.<String>read(started.body(), "$.state")).isEqualTo("RUNNING");
		await().untilAsserted(() -> assertThat(handler.calls()).hasSize(3).contains("added two"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "PAUSE", "RESUME", "RESYNC" })
	void actionOnStoppedHandlerShouldBeRefused(String action) {
		this.application = run(List.of(PodHandler.class), EndpointApplication.UNRESTRICTED,
				"kubernetes.informers.handlers.podHandler.auto-startup=false");
		HttpResponse<String> response = this.application.act("podHandler", action);
		assertThat(response.statusCode()).isEqualTo(409);
		assertThat(JsonPath.<String>read(response.body(), "$.error")).contains("'podHandler' is stopped", "START");
	}

	@Test
	void unknownActionShouldBeAnsweredByThoseThatThereAre() {
		this.application = run(List.of(PodHandler.class), EndpointApplication.UNRESTRICTED);
		for (String body : List.of("{\"action\":\"EXPLODE\"}", "{\"action\":7}", "{\"action\":\"\"}",
				"{\"action\":null}", "{\"state\":\"PAUSE\"}", "{}", "")) {
			HttpResponse<String> response = this.application.post("/podHandler", body);
			assertThat(response.statusCode()).as(body).isEqualTo(400);
			assertThat(JsonPath.<String>read(response.body(), "$.error")).as(body)
				.contains("PAUSE, RESUME, RESYNC, START, STOP");
		}
		assertThat(this.application.act("podHandler", "EXPLODE").body()).contains("'EXPLODE'");
		assertThat(this.application.<String>read("/podHandler", "$.state")).isEqualTo("RUNNING");
	}

	@Test
	void actionOnInformerOrRbacShouldNameTheHandlers() {
		this.application = run(List.of(PodHandler.class, NodeReader.class), EndpointApplication.UNRESTRICTED);
		for (String id : List.of("pods", "nodes", "rbac")) {
			HttpResponse<String> response = this.application.act(id, "PAUSE");
			assertThat(response.statusCode()).as(id).isEqualTo(400);
			assertThat(JsonPath.<String>read(response.body(), "$.error")).contains("'" + id + "'", "[podHandler]");
		}
	}

	@Test
	void unknownIdShouldBeNamed() {
		this.application = run(List.of(PodHandler.class), EndpointApplication.UNRESTRICTED);
		assertThat(this.application.get("/nobody").body()).contains("'nobody'");
		assertThat(this.application.act("nobody", "PAUSE").body()).contains("'nobody'");
		assertThat(this.application.get("/nobody", "application/yaml").statusCode()).isEqualTo(404);
	}

	@Test
	void actionWithoutUnrestrictedAccessShouldBeRefused() {
		this.application = run(List.of(PodHandler.class));
		assertThat(this.application.act("podHandler", "PAUSE").statusCode()).isEqualTo(405);
		assertThat(this.application.<String>read("/podHandler", "$.state")).isEqualTo("RUNNING");
	}

	@Test
	void endpointWithoutAccessShouldBeAbsent() {
		this.application = run(List.of(PodHandler.class), "management.endpoint.informers.access=none");
		assertThat(this.application.get("").statusCode()).isEqualTo(404);
		assertThat(this.application.context().getBeanNamesForType(InformersEndpoint.class)).isEmpty();
	}

	@Test
	void endpointThatIsNotExposedShouldBeAbsent() {
		this.application = run(List.of(PodHandler.class), "management.endpoints.web.exposure.include=health");
		assertThat(this.application.get("").statusCode()).isEqualTo(404);
		assertThat(this.application.context().getBeanNamesForType(InformersEndpoint.class)).isEmpty();
	}

	@Test
	void rbacShouldGrantWhatTheInformersNeedAndNoMore() {
		this.application = run(List.of(PodHandler.class, NodeReader.class, NarrowReader.class, DeploymentReader.class,
				ConfigMapReader.class));
		HttpResponse<String> response = this.application.get("/rbac", "application/yaml");
		assertThat(response.statusCode()).isEqualTo(200);
		List<Object> roles = documents(response.body());
		// Pods of single namespaces are granted by the rule on all pods.
		assertThat(roles).containsExactly(role("ClusterRole", null, rule("", "nodes", "pods")),
				role("Role", "batch", rule("apps", "deployments")),
				role("Role", "web", rule("", "configmaps"), rule("apps", "deployments")));
	}

	@Test
	void rbacShouldGrantSingleObjectsByName() {
		this.application = run(List.of(SingleReader.class));
		List<Object> roles = documents(this.application.get("/rbac").body());
		// The names of one resource are no grant on another; all secrets of "all" are
		// read.
		assertThat(roles).containsExactly(role("ClusterRole", null, named(rule("", "secrets"), "everywhere")),
				role("Role", "all", rule("", "secrets")),
				role("Role", "web", named(rule("", "configmaps"), "a", "b"), named(rule("", "secrets"), "a")));
	}

	@Test
	void rbacShouldKnowHandlersThatAreNotStarted() {
		this.application = run(List.of(OfficialHandler.class),
				"kubernetes.informers.handlers.official.auto-startup=false",
				"kubernetes.informers.handlers.official.namespaces=web");
		assertThat(this.application.<List<Object>>read("", "$.informers")).isEmpty();
		assertThat(documents(this.application.get("/rbac").body()))
			.containsExactly(role("Role", "web", rule("", "configmaps")));
	}

	@Test
	void rbacWithoutInformersShouldGrantNothing() {
		this.application = run(List.of());
		assertThat(documents(this.application.get("/rbac").body())).isEmpty();
		assertThat(this.application.get("/rbac").body()).startsWith("#");
	}

	private static List<Object> documents(String yaml) {
		List<Object> documents = new ArrayList<>();
		StreamSupport.stream(new Yaml().loadAll(yaml).spliterator(), false).forEach(documents::add);
		return documents;
	}

	private static Map<String, Object> role(String kind, String namespace, Object... rules) {
		Map<String, Object> metadata = (namespace != null)
				? Map.of("name", "shop-front-informers", "namespace", namespace)
				: Map.of("name", "shop-front-informers");
		return Map.of("apiVersion", "rbac.authorization.k8s.io/v1", "kind", kind, "metadata", metadata, "rules",
				List.of(rules));
	}

	private static Map<String, Object> rule(String group, String... plurals) {
		return Map.of("apiGroups", List.of(group), "resources", Arrays.asList(plurals), "verbs",
				List.of("list", "watch"));
	}

	private static Map<String, Object> named(Map<String, Object> rule, String... names) {
		Map<String, Object> named = new HashMap<>(rule);
		named.put("resourceNames", List.of(names));
		return named;
	}

	private static String contentType(HttpResponse<String> response) {
		return response.headers().firstValue("Content-Type").orElseThrow();
	}

	private void awaitSync(String handler) {
		await().until(() -> this.application.<Boolean>read("/" + handler, "$.synced"));
	}

	private EndpointApplication run(List<Class<?>> beans, String... properties) {
		return run(WebApplicationType.SERVLET, beans, properties);
	}

	private EndpointApplication run(WebApplicationType type, List<Class<?>> beans, String... properties) {
		List<String> all = new ArrayList<>(List.of(properties));
		all.add("kubernetes.client.url=" + this.kubernetes.url());
		return EndpointApplication.run(type, beans, all.toArray(String[]::new));
	}

	static class SingleReader {

		SingleReader(@InformerSource(namespaces = "web", fieldSelector = "metadata.name=a") Lister<V1ConfigMap> a,
				@InformerSource(namespaces = "web", fieldSelector = "metadata.name=b") Lister<V1ConfigMap> b,
				@InformerSource(namespaces = { "web", "all" },
						fieldSelector = "type=x,metadata.name=a") Lister<V1Secret> secret,
				@InformerSource(namespaces = "all") Lister<V1Secret> all,
				@InformerSource(fieldSelector = "metadata.name=everywhere") Lister<V1Secret> everywhere,
				@InformerSource(namespaces = "web",
						fieldSelector = "metadata.name=everywhere") Lister<V1Secret> again) {
		}

	}

	static class ShardReader {

		ShardReader(Informers informers) {
			informers.informer(InformerSpec.metadata(V1Pod.class).withShard(new Shard(ShardKey.UID, 2, 3)));
			informers.informer(InformerSpec.metadata(V1Secret.class));
		}

	}

	@InformerHandler(id = "podHandler")
	static class PodHandler extends RecordingHandler {

		@OnAdd
		void added(V1Pod pod) {
			record("added", pod);
		}

		@OnUpdate
		void changed(V1Pod before, V1Pod after) {
			record("changed", after);
		}

		@OnDelete
		void removed(ResourceEvent<V1Pod> event) {
			record(event);
		}

	}

	@InformerHandler(id = "official")
	static class OfficialHandler implements ResourceEventHandler<V1ConfigMap> {

		@Override
		public void onAdd(V1ConfigMap object) {
		}

		@Override
		public void onUpdate(V1ConfigMap before, V1ConfigMap after) {
		}

		@Override
		public void onDelete(V1ConfigMap object, boolean finalStateUnknown) {
		}

	}

	@InformerHandler(id = "failingHandler")
	static class FailingHandler {

		@OnAdd
		void added(V1Pod pod) {
			throw new IllegalArgumentException("s3cret");
		}

	}

	@InformerHandler(id = "blockingHandler")
	static class BlockingHandler {

		private final CountDownLatch release = new CountDownLatch(1);

		@OnAdd
		void added(V1Pod pod) throws InterruptedException {
			this.release.await();
		}

	}

	static class NodeReader {

		NodeReader(Lister<V1Node> nodes) {
		}

	}

	static class NarrowReader {

		NarrowReader(@InformerSource(namespaces = { "web", "batch" }, labelSelector = "app=shop",
				fieldSelector = "spec.nodeName!=n1") Lister<V1Pod> pods) {
		}

	}

	static class DeploymentReader {

		DeploymentReader(@InformerSource(namespaces = { "web", "batch" }) Lister<V1Deployment> deployments) {
		}

	}

	static class ConfigMapReader {

		ConfigMapReader(@InformerSource(namespaces = "web") Lister<V1ConfigMap> configMaps) {
		}

	}

}
