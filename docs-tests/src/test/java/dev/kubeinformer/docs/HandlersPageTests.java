package dev.kubeinformer.docs;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import com.google.gson.JsonParser;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import io.kubernetes.client.util.generic.options.CreateOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.springframework.beans.BeanUtils;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.test.util.ReflectionTestUtils;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that the code of {@code docs/handlers.md} does what the page says.
 */
@Tag("slow")
@TestInstance(Lifecycle.PER_CLASS)
class HandlersPageTests {

	private final RunningPage page;

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	HandlersPageTests() throws IOException {
		this.page = new RunningPage("docs/handlers.md");
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
	void firstHandlerShouldGetEverything() {
		this.kubernetes.resources(V1Pod.class).create(pod("web", "one"));
		runner("NodeCountHandler").run((context) -> {
			InformerHandlerContainer container = context.getBean(InformerHandlerRegistry.class).get("nodeCountHandler");
			await().until(() -> container.status().deliveries().processed() == 1);
			this.kubernetes.resources(V1Pod.class).update(pod("web", "one", Map.of("app", "web")));
			await().until(() -> container.status().deliveries().processed() == 2);
			this.kubernetes.resources(V1Pod.class).delete("web", "one");
			await().until(() -> container.status().deliveries().processed() == 3);
			assertThat(container.status().deliveries().failed()).isZero();
			assertThat(context.getBean(Informers.class).all()).extracting(Informer::id)
				.containsExactlyInAnyOrder("pods", "nodes");
		});
	}

	@Test
	void reconcilerShouldGetChangesOfTheSpecOnly() {
		this.kubernetes.serve("example.com", "v1", "widgets", "Widget", true);
		ApiResources<? extends KubernetesObject> widgets = this.kubernetes
			.resources(this.page.type("Widget").asSubclass(KubernetesObject.class), "example.com", "v1", "widgets");
		create(widgets);
		runner("WidgetHandler").run((context) -> {
			assertThat(context.getBean(InformerHandlerRegistry.class).get("widgetHandler").options().concurrency())
				.isEqualTo(4);
			List<String> reconciled = this.page.call(context, "WidgetHandler", "reconciled");
			await().until(() -> reconciled.contains("ADD one"));
			widgets.edit("web", "one", (widget) -> widget.getMetadata().putLabelsItem("app", "a"));
			widgets.edit("web", "one",
					(widget) -> ReflectionTestUtils.setField(ReflectionTestUtils.getField(widget, "spec"), "size", 2));
			await().until(() -> reconciled.contains("UPDATE one"));
			widgets.delete("web", "one");
			await().until(() -> reconciled.contains("DELETE one"));
			assertThat(reconciled).containsExactly("ADD one", "UPDATE one", "DELETE one");
		});
	}

	@Test
	void configHandlerShouldGetWhatItsAnnotationSelects() {
		ApiResources<V1ConfigMap> configMaps = this.kubernetes.resources(V1ConfigMap.class);
		configMaps.create(configMap("web", "mine", "shop"));
		configMaps.create(configMap("web", "other", "blog"));
		runner("ConfigHandler").withPropertyValues("app.namespace=web", "spring.application.name=shop")
			.run((context) -> {
				InformerHandlerContainer container = context.getBean(InformerHandlerRegistry.class).get("config");
				await().until(container::hasSynced);
				assertThat(this.page.<Map<String, ?>>call(context, "ConfigHandler", "known")).containsOnlyKeys("mine");
			});
	}

	@Test
	void reportShouldReadTheCaches() {
		this.kubernetes.resources(V1Pod.class).create(pod("web", "one", Map.of("app", "web")));
		this.kubernetes.resources(V1Pod.class).create(pod("web", "two", Map.of("app", "db")));
		runner("PodReport").run((context) -> {
			await().until(() -> this.page.<List<?>>call(context, "PodReport", "podsOf", "web").size() == 2
					&& this.page.<Integer>call(context, "PodReport", "webPods") == 1);
			assertThat(context.getBean(Informers.class).all()).hasSize(2);
		});
	}

	@Test
	void namespacesShouldComeAndGo() {
		this.kubernetes.resources(V1Pod.class).create(pod("tenant-a", "one"));
		this.kubernetes.resources(V1Pod.class).create(pod("tenant-b", "two"));
		runner("TenantCaches").run((context) -> {
			Informer<?> pods = context.getBean(Informers.class).all().iterator().next();
			await().until(() -> pods.snapshot().size() == 1);
			this.page.call(context, "TenantCaches", "joined", "tenant-b");
			await().until(() -> pods.snapshot().size() == 2);
			this.page.call(context, "TenantCaches", "left", "tenant-a");
			await().until(() -> pods.snapshot().size() == 1);
			assertThat(pods.namespaces()).containsExactly("tenant-b");
		});
	}

	@Test
	void kindWithoutAClassShouldBeHandledAndRead() {
		this.kubernetes.serve("example.com", "v1", "gadgets", "Gadget", true);
		this.kubernetes.serve("example.com", "v1", "parts", "Part", true);
		runner("GadgetHandler").run((context) -> {
			DynamicKubernetesObject one = new DynamicKubernetesObject(JsonParser.parseString(
					"{'apiVersion': 'example.com/v1', 'kind': 'Gadget', 'metadata': {'name': 'one'}, 'spec': {'size': 3}}")
				.getAsJsonObject());
			new DynamicKubernetesApi("example.com", "v1", "gadgets", context.getBean(ApiClient.class)).create("default",
					one, new CreateOptions());
			await().untilAsserted(() -> assertThat(field(context, "GadgetHandler", "sizes"))
				.isEqualTo(List.of("one of size 3, of 0 parts")));
			assertThat(context.getBean(Informers.class).all()).extracting(Informer::id)
				.containsExactlyInAnyOrder("gadgets.v1.example.com", "parts.v1.example.com");
		});
	}

	@Test
	void handlersShouldComeAndGo() {
		this.kubernetes.resources(V1ConfigMap.class).create(configMap("tenant-a", "one", "shop"));
		this.kubernetes.resources(V1ConfigMap.class).create(configMap("tenant-b", "two", "shop"));
		runner("TenantWatch").run((context) -> {
			this.page.call(context, "TenantWatch", "begin", "tenant-a");
			await()
				.untilAsserted(() -> assertThat(field(context, "TenantWatch", "seen")).isEqualTo(List.of("ADD one")));
			this.page.call(context, "TenantWatch", "widen", "tenant-a", List.of("tenant-a", "tenant-b"));
			await().untilAsserted(
					() -> assertThat(field(context, "TenantWatch", "seen")).isEqualTo(List.of("ADD one", "ADD two")));
			this.page.call(context, "TenantWatch", "end", "tenant-a");
			assertThat(context.getBean(InformerHandlerRegistry.class).all()).isEmpty();
			assertThat(context.getBean(Informers.class).all()).isEmpty();
		});
	}

	@Test
	void beanMethodShouldMakeAHandlerOfAnyClass() {
		this.kubernetes.resources(V1ConfigMap.class).create(configMap("kube-system", "mine", "shop"));
		runner()
			.withUserConfiguration(this.page.configuration("systemConfig()"),
					this.page.configuration("InformerErrorHandler errorHandler()"))
			.run((context) -> {
				await().until(() -> context.getBean(InformerHandlerRegistry.class).get("systemConfig").hasSynced());
				assertThat(this.page.<Map<String, ?>>call(context, "ConfigHandler", "known")).containsOnlyKeys("mine");
			});
	}

	private ApplicationContextRunner runner(String... types) {
		return this.page.runner(this.kubernetes, types);
	}

	private Object field(ApplicationContext context, String type, String name) {
		return ReflectionTestUtils.getField(context.getBean(this.page.type(type)), name);
	}

	private <T extends KubernetesObject> void create(ApiResources<T> widgets) {
		@SuppressWarnings("unchecked")
		T one = (T) BeanUtils.instantiateClass(this.page.type("Widget"));
		one.getMetadata().namespace("web").name("one");
		widgets.create(one);
	}

	private static V1Pod pod(String namespace, String name) {
		return pod(namespace, name, Map.of());
	}

	private static V1Pod pod(String namespace, String name, Map<String, String> labels) {
		return new V1Pod().metadata(new V1ObjectMeta().namespace(namespace).name(name).labels(labels));
	}

	private static V1ConfigMap configMap(String namespace, String name, String app) {
		return new V1ConfigMap().metadata(new V1ObjectMeta().namespace(namespace).name(name).putLabelsItem("app", app));
	}

}
