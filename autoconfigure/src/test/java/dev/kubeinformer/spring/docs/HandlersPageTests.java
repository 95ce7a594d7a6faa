package dev.kubeinformer.spring.docs;

import java.util.List;
import java.util.Map;

import com.google.gson.JsonParser;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import io.kubernetes.client.util.generic.options.CreateOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import dev.kubeinformer.Informer;
import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that the code of {@code docs/handlers.md} does what the page says.
 */
class HandlersPageTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes);

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void firstHandlerShouldGetEverything() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean("pods-of-the-page", NodeCountHandler.class).run((context) -> {
			InformerHandlerContainer container = context.getBean(InformerHandlerRegistry.class).get("pods-of-the-page");
			await().until(() -> container.status().deliveries().processed() == 1);
			this.kubernetes.resources(V1Pod.class).update(TestObjects.pod("web", "one", Map.of("app", "web")));
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
		ApiResources<Widget> widgets = this.kubernetes.resources(Widget.class, "example.com", "v1", "widgets");
		Widget one = new Widget();
		one.getMetadata().namespace("web").name("one");
		widgets.create(one);
		this.runner.withBean("widgets", WidgetHandler.class).run((context) -> {
			WidgetHandler handler = context.getBean(WidgetHandler.class);
			assertThat(context.getBean(InformerHandlerRegistry.class).get("widgets").options().concurrency())
				.isEqualTo(4);
			await().until(() -> handler.reconciled().contains("ADD one"));
			widgets.edit("web", "one", (widget) -> widget.getMetadata().putLabelsItem("app", "a"));
			widgets.edit("web", "one", (widget) -> widget.spec.size = 2);
			await().until(() -> handler.reconciled().contains("UPDATE one"));
			widgets.delete("web", "one");
			await().until(() -> handler.reconciled().contains("DELETE one"));
			assertThat(handler.reconciled()).containsExactly("ADD one", "UPDATE one", "DELETE one");
		});
	}

	@Test
	void configHandlerShouldGetWhatItsAnnotationSelects() {
		ApiResources<V1ConfigMap> configMaps = this.kubernetes.resources(V1ConfigMap.class);
		configMaps.create(configMap("web", "mine", "shop"));
		configMaps.create(configMap("web", "other", "blog"));
		this.runner.withBean(ConfigHandler.class)
			.withPropertyValues("app.namespace=web", "spring.application.name=shop")
			.run((context) -> {
				InformerHandlerContainer container = context.getBean(InformerHandlerRegistry.class).get("config");
				await().until(container::hasSynced);
				assertThat(context.getBean(ConfigHandler.class).known()).containsOnlyKeys("mine");
			});
	}

	@Test
	void reportShouldReadTheCaches() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one", Map.of("app", "web")));
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "two", Map.of("app", "db")));
		this.runner.withBean(PodReport.class).run((context) -> {
			PodReport report = context.getBean(PodReport.class);
			await().until(() -> report.podsOf("web").size() == 2 && report.webPods() == 1);
			assertThat(context.getBean(Informers.class).all()).hasSize(2);
		});
	}

	@Test
	void namespacesShouldComeAndGo() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("tenant-a", "one"));
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("tenant-b", "two"));
		this.runner.withBean(TenantCaches.class).run((context) -> {
			TenantCaches caches = context.getBean(TenantCaches.class);
			Informer<?> pods = context.getBean(Informers.class).all().iterator().next();
			await().until(() -> pods.snapshot().size() == 1);
			caches.joined("tenant-b");
			await().until(() -> pods.snapshot().size() == 2);
			caches.left("tenant-a");
			await().until(() -> pods.snapshot().size() == 1);
			assertThat(pods.namespaces()).containsExactly("tenant-b");
		});
	}

	@Test
	void kindWithoutAClassShouldBeHandledAndRead() {
		this.kubernetes.serve("example.com", "v1", "gadgets", "Gadget", true);
		this.kubernetes.serve("example.com", "v1", "parts", "Part", true);
		this.runner.withBean("gadgets", GadgetHandler.class).run((context) -> {
			GadgetHandler handler = context.getBean(GadgetHandler.class);
			DynamicKubernetesObject one = new DynamicKubernetesObject(JsonParser.parseString(
					"{'apiVersion': 'example.com/v1', 'kind': 'Gadget', 'metadata': {'name': 'one'}, 'spec': {'size': 3}}")
				.getAsJsonObject());
			new DynamicKubernetesApi("example.com", "v1", "gadgets", context.getBean(ApiClient.class)).create("default",
					one, new CreateOptions());
			await().untilAsserted(() -> assertThat(handler.sizes()).containsExactly("one of size 3, of 0 parts"));
			assertThat(context.getBean(Informers.class).all()).extracting(Informer::id)
				.containsExactlyInAnyOrder("gadgets.v1.example.com", "parts.v1.example.com");
		});
	}

	@Test
	void handlersShouldComeAndGo() {
		this.kubernetes.resources(V1ConfigMap.class).create(configMap("tenant-a", "one", "shop"));
		this.kubernetes.resources(V1ConfigMap.class).create(configMap("tenant-b", "two", "shop"));
		this.runner.withBean(TenantWatch.class).run((context) -> {
			TenantWatch watch = context.getBean(TenantWatch.class);
			watch.begin("tenant-a");
			await().untilAsserted(() -> assertThat(watch.seen()).containsExactly("ADD one"));
			watch.widen("tenant-a", List.of("tenant-a", "tenant-b"));
			await().untilAsserted(() -> assertThat(watch.seen()).containsExactly("ADD one", "ADD two"));
			watch.end("tenant-a");
			assertThat(context.getBean(InformerHandlerRegistry.class).all()).isEmpty();
			assertThat(context.getBean(Informers.class).all()).isEmpty();
		});
	}

	@Test
	void beanMethodShouldMakeAHandlerOfAnyClass() {
		this.kubernetes.resources(V1ConfigMap.class).create(configMap("kube-system", "mine", "shop"));
		this.runner.withUserConfiguration(HandlerConfiguration.class).run((context) -> {
			await().until(() -> context.getBean(InformerHandlerRegistry.class).get("systemConfig").hasSynced());
			assertThat(context.getBean(ConfigHandler.class).known()).containsOnlyKeys("mine");
		});
	}

	private static V1ConfigMap configMap(String namespace, String name, String app) {
		return new V1ConfigMap().metadata(new V1ObjectMeta().namespace(namespace).name(name).putLabelsItem("app", app));
	}

}
