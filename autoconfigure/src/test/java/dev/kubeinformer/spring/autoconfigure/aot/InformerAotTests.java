package dev.kubeinformer.spring.autoconfigure.aot;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeList;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodList;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1Service;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.aot.AotServices;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.annotation.AliasFor;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;

import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.RecordingHandler;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.InformerSource;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.annotation.OnUpdate;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.model.InformerTransform;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of applications that are processed ahead of time: nothing of a cluster is known
 * then, and the generated context works like the other.
 */
class InformerAotTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	@CompileWithForkedClassLoader
	void generatedContextShouldRunHandlersAndInject() {
		this.kubernetes.serve("example.com", "v1", "widgets", "Widget", true);
		this.kubernetes.resources(Widget.class, "example.com", "v1", "widgets").create(new Widget("w1", "blue"));
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "skipped"));
		this.kubernetes.resources(V1ConfigMap.class).create(TestObjects.configMap("web", "map"));
		this.kubernetes.resources(V1ConfigMap.class).create(TestObjects.configMap("other", "elsewhere"));
		this.kubernetes.resources(V1Node.class).create(TestObjects.node("n1"));
		// Until the handler waits for them.
		this.kubernetes.faults().on(Requests.of("nodes")).forbid();
		TestGenerationContext generation = process();
		TestCompiler.forSystem().with(generation).compile((compiled) -> {
			@SuppressWarnings("unchecked")
			ApplicationContextInitializer<GenericApplicationContext> initializer = compiled
				.getInstance(ApplicationContextInitializer.class);
			try (GenericApplicationContext context = new GenericApplicationContext()) {
				TestPropertyValues.of(InformerContextRunner.NO_CLUSTER)
					.and("kubernetes.client.url=" + this.kubernetes.url())
					.and("watched=web")
					.applyTo(context);
				initializer.initialize(context);
				context.refresh();
				assertWorks(context);
			}
		});
	}

	private void assertWorks(GenericApplicationContext context) {
		InformerHandlerRegistry registry = context.getBean(InformerHandlerRegistry.class);
		assertThat(registry.all()).extracting((container) -> container.id())
			.containsExactlyInAnyOrder("podHandler", "maps", "widgetHandler");
		await().until(() -> registry.get("podHandler").awaiting().equals(List.of("nodes")));
		assertThat(registry.get("maps").awaiting()).isEmpty();
		this.kubernetes.faults().clear();
		PodHandler pods = context.getBean(PodHandler.class);
		await().until(() -> registry.all().stream().allMatch((container) -> container.hasSynced()));
		assertThat(pods.calls()).containsExactly("ADD one");
		assertThat(context.getBean(WidgetHandler.class).calls()).containsExactly("blue w1");
		assertThat(context.getBean("mapHandler", GenericHandler.class).calls()).containsExactly("add map");
		await().until(() -> pods.nodes.list().size() == 1 && pods.services.getObject().list().isEmpty());
		assertThat(pods.nodes.list().get(0).getMetadata().getLabels()).containsOnly(Map.entry("transformed", "yes"));
		assertThat(pods.secrets.list()).isEmpty();
	}

	@Test
	void modelClassesShouldBeReadByReflection() {
		RuntimeHints hints = process().getRuntimeHints();
		for (Class<?> type : List.of(V1Pod.class, V1PodList.class, V1Container.class, V1Node.class, V1NodeList.class,
				V1ConfigMap.class, V1Service.class, V1Secret.class, V1ObjectMeta.class, Widget.class, WidgetSpec.class,
				WidgetPart.class)) {
			assertThat(RuntimeHintsPredicates.reflection()
				.onType(type)
				.withMemberCategories(MemberCategory.ACCESS_DECLARED_FIELDS,
						MemberCategory.INVOKE_DECLARED_CONSTRUCTORS))
				.as(type.getName())
				.accepts(hints);
		}
	}

	@Test
	void handlerMethodsAndConditionsShouldBeInvocable() throws Exception {
		RuntimeHints hints = process().getRuntimeHints();
		assertThat(RuntimeHintsPredicates.reflection()
			.onMethodInvocation(PodHandler.class.getDeclaredMethod("handle", ResourceEvent.class))).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection()
			.onMethodInvocation(WidgetHandler.class.getDeclaredMethod("added", Widget.class))).accepts(hints);
		new InformerRuntimeHints().registerHints(hints, null);
		assertThat(RuntimeHintsPredicates.reflection()
			.onMethodInvocation(ResourceEvent.class.getMethod("generationChanged"))).accepts(hints);
		assertThat(RuntimeHintsPredicates.resource().forResource("dev/kubeinformer/resource/built-in-types.txt"))
			.accepts(hints);
	}

	@Test
	void hintsShouldBeRegisteredByTheFactories() {
		assertThat(AotServices.factories().load(RuntimeHintsRegistrar.class))
			.hasAtLeastOneElementOfType(InformerRuntimeHints.class);
	}

	// There is no cluster, and the properties that handlers refer to are not set yet.
	private TestGenerationContext process() {
		TestGenerationContext generation = new TestGenerationContext();
		AnnotationConfigApplicationContext source = new AnnotationConfigApplicationContext();
		TestPropertyValues.of(InformerContextRunner.NO_CLUSTER).applyTo(source);
		source.register(Application.class);
		new ApplicationContextAotGenerator().processAheadOfTime(source, generation);
		generation.writeGeneratedContent();
		return generation;
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })
	static class Application {

		@Bean
		PodHandler podHandler(Lister<V1Node> nodes, @InformerSource(namespaces = "web") Lister<V1Secret> secrets) {
			return new PodHandler(nodes, secrets);
		}

		@Bean
		@InformerHandler(id = "maps", namespaces = "${watched}")
		GenericHandler<V1ConfigMap> mapHandler() {
			return new GenericHandler<>();
		}

		@Bean
		InformerTransform<V1Node> transform() {
			return (node) -> node.metadata(node.getMetadata().labels(Map.of("transformed", "yes")));
		}

		@Bean
		WidgetHandler widgetHandler() {
			return new WidgetHandler();
		}

	}

	@InformerHandler
	static class PodHandler extends RecordingHandler {

		private final Lister<V1Node> nodes;

		private final Lister<V1Secret> secrets;

		@Autowired
		private ObjectProvider<Lister<V1Service>> services;

		// A type that contains itself.
		private Node<?> node;

		PodHandler(Lister<V1Node> nodes, Lister<V1Secret> secrets) {
			this.nodes = nodes;
			this.secrets = secrets;
		}

		@OnAdd(condition = "#object.metadata.name != 'skipped' && #event.initial()")
		@OnDelete
		void handle(ResourceEvent<V1Pod> event) {
			record(event);
		}

	}

	interface Node<T extends Node<T>> {

	}

	static class GenericHandler<T extends KubernetesObject> extends RecordingHandler
			implements ResourceEventHandler<T> {

		@Override
		public void onAdd(T object) {
			record("add", object);
		}

		@Override
		public void onUpdate(T before, T after) {
		}

		@Override
		public void onDelete(T object, boolean finalStateUnknown) {
		}

	}

	@OnAdd
	@OnUpdate
	@Retention(RetentionPolicy.RUNTIME)
	@interface OnUpsert {

		@AliasFor(annotation = OnAdd.class, attribute = "condition")
		String addedIf();

	}

	@InformerHandler
	static class WidgetHandler extends RecordingHandler {

		@OnUpsert(addedIf = "#object.metadata.name == 'w1'")
		void added(Widget widget) {
			record(widget.spec.parts.get("main").color, widget);
		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "widgets")
	static class Widget implements KubernetesObject {

		private String apiVersion = "example.com/v1";

		private String kind = "Widget";

		private V1ObjectMeta metadata;

		private WidgetSpec spec;

		Widget() {
		}

		Widget(String name, String color) {
			this.metadata = new V1ObjectMeta().name(name).namespace("web");
			WidgetPart part = new WidgetPart();
			part.color = color;
			this.spec = new WidgetSpec();
			this.spec.parts = Map.of("main", part);
		}

		@Override
		public V1ObjectMeta getMetadata() {
			return this.metadata;
		}

		@Override
		public String getApiVersion() {
			return this.apiVersion;
		}

		@Override
		public String getKind() {
			return this.kind;
		}

	}

	/**
	 * Read by its fields; it has no getters.
	 */
	static class WidgetSpec {

		private Map<String, WidgetPart> parts;

	}

	static class WidgetPart {

		private String color;

	}

}
