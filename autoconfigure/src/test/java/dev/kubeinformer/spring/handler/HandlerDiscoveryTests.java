package dev.kubeinformer.spring.handler;

import java.time.Duration;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.spring.CommonScope;
import dev.kubeinformer.spring.CustomObject;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of which beans become handlers, and of what annotation and configuration make of
 * them. Nothing connects here.
 */
class HandlerDiscoveryTests {

	private final ApplicationContextRunner runner = InformerContextRunner.withoutCluster()
		.withPropertyValues("kubernetes.informers.auto-startup=false");

	@Test
	void contextWhenNoHandlersShouldHaveEmptyRegistry() {
		this.runner.run((context) -> assertThat(context.getBean(InformerHandlerRegistry.class).all()).isEmpty());
	}

	@Test
	void getWhenUnknownShouldNameTheHandlers() {
		this.runner.withBean("podHandler", PodHandler.class)
			.run((context) -> assertThatIllegalArgumentException()
				.isThrownBy(() -> context.getBean(InformerHandlerRegistry.class).get("pod"))
				.withMessage("No handler has the id 'pod'; the handlers are [podHandler]"));
	}

	@Test
	void idShouldBeBeanNameAfterItsLastDot() {
		this.runner.withBean("com.example.PodHandler", PodHandler.class)
			.run((context) -> assertThat(context.getBean(InformerHandlerRegistry.class).get("PodHandler").beanName())
				.isEqualTo("com.example.PodHandler"));
	}

	@ParameterizedTest
	@ValueSource(classes = { ImportConfiguration.class, RegistrarConfiguration.class })
	void idOfANestedClassThatIsImportedShouldBeItsName(Class<?> configuration) {
		this.runner.withUserConfiguration(configuration).run((context) -> {
			assertThat(context.getBean(InformerHandlerRegistry.class).get("PodHandler").beanName())
				.startsWith(PodHandler.class.getName());
			assertThat(context.getBean(ReconcilerRegistry.class).get("PodReconciler").spec().id())
				.isEqualTo("PodReconciler");
		});
	}

	@Test
	void idsOfNestedClassesOfOneNameShouldBeRefused() {
		this.runner.withUserConfiguration(SameNameConfiguration.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("has the id 'PodHandler', which is taken by"));
	}

	@Test
	void annotationOnBeanMethodShouldReplaceThatOfTheClass() {
		this.runner.withUserConfiguration(BeanMethodConfiguration.class).run((context) -> {
			InformerHandlerContainer container = context.getBean(InformerHandlerRegistry.class).get("fromMethod");
			assertThat(container.beanName()).isEqualTo("annotatedHandler");
			assertThat(container.options().resync()).isEqualTo(Duration.ofMinutes(1));
			assertThat(container.spec().namespaces()).isEmpty();
		});
	}

	@Test
	void annotationOnBeanMethodShouldMakeAnyClassAHandler() {
		this.runner.withUserConfiguration(BeanMethodConfiguration.class).run((context) -> {
			InformerHandlerContainer container = context.getBean(InformerHandlerRegistry.class).get("plainHandler");
			assertThat(container.spec().id()).isEqualTo("configmaps");
		});
	}

	@Test
	void typeShouldComeFromTheBeanMethodWhenTheClassIsGeneric() {
		this.runner.withUserConfiguration(BeanMethodConfiguration.class).run((context) -> {
			InformerHandlerRegistry registry = context.getBean(InformerHandlerRegistry.class);
			assertThat(registry.get("genericHandler").spec().id()).isEqualTo("nodes");
			assertThat(registry.get("genericMethods").spec().id()).isEqualTo("nodes");
		});
	}

	@Test
	void typeShouldComeFromTheGenericSuperclass() {
		this.runner.withBean("subclassHandler", SubclassHandler.class)
			.run((context) -> assertThat(
					context.getBean(InformerHandlerRegistry.class).get("subclassHandler").spec().id())
				.isEqualTo("configmaps"));
	}

	@Test
	void typeWhenGivenShouldAllowSupertypesAsParameters() {
		this.runner.withBean("supertypeHandler", SupertypeHandler.class)
			.run((context) -> assertThat(
					context.getBean(InformerHandlerRegistry.class).get("supertypeHandler").spec().id())
				.isEqualTo("pods"));
	}

	@Test
	void typeWhenCustomResourceShouldComeFromItsAnnotation() {
		this.runner.withBean("widgetHandler", WidgetHandler.class)
			.run((context) -> assertThat(
					context.getBean(InformerHandlerRegistry.class).get("widgetHandler").spec().id())
				.isEqualTo("widgets.example.com"));
	}

	@Test
	void jdkProxiedHandlerShouldBeFound() {
		this.runner.withUserConfiguration(ProxyConfiguration.class).run((context) -> {
			assertThat(context.getBean("jdkProxied")).isNotInstanceOf(JdkProxied.class);
			assertThat(context.getBean(InformerHandlerRegistry.class).get("jdkProxied").spec().id()).isEqualTo("pods");
		});
	}

	@Test
	void classProxiedHandlerShouldBeFound() {
		this.runner.withUserConfiguration(ProxyConfiguration.class)
			.run((context) -> assertThat(context.getBean(InformerHandlerRegistry.class).get("classProxied").spec().id())
				.isEqualTo("pods"));
	}

	@Test
	void scopedProxyShouldBeFoundOnce() {
		this.runner.withInitializer((context) -> context.getBeanFactory().registerScope("common", new CommonScope()))
			.withUserConfiguration(ScopedConfiguration.class)
			.run((context) -> assertThat(context.getBean(InformerHandlerRegistry.class).all())
				.extracting(InformerHandlerContainer::id)
				.containsExactly("scoped"));
	}

	@Test
	void lazyHandlerShouldBeFoundAndNotCreated() {
		this.runner.withUserConfiguration(LazyConfiguration.class).run((context) -> {
			assertThat(context.getBean(InformerHandlerRegistry.class).get("lazyHandler")).isNotNull();
			assertThat(context.getBeanFactory().containsSingleton("lazyHandler")).isFalse();
		});
	}

	@Test
	void lazyInitializationShouldNotHideHandlers() {
		this.runner.withUserConfiguration(BeanMethodConfiguration.class)
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> assertThat(context.getBean(InformerHandlerRegistry.class).all()).isNotEmpty());
	}

	@Test
	void handlersShouldBelongToTheirContext() {
		this.runner.withPropertyValues("kubernetes.informers.handlers.podHandler.resync=1s")
			.withBean("podHandler", PodHandler.class)
			.run((parent) -> this.runner.withParent(parent)
				.withPropertyValues("kubernetes.informers.handlers.widgetHandler.resync=2s")
				.withBean("widgetHandler", WidgetHandler.class)
				.run((child) -> {
					assertThat(child).hasNotFailed();
					assertThat(child.getBean(InformerHandlerRegistry.class).get("widgetHandler").options().resync())
						.isEqualTo(Duration.ofSeconds(2));
					assertThat(parent.getBean(InformerHandlerRegistry.class).all())
						.extracting(InformerHandlerContainer::id)
						.containsExactly("podHandler");
					assertThat(child.getBean(InformerHandlerRegistry.class).all())
						.extracting(InformerHandlerContainer::id)
						.containsExactly("widgetHandler");
					assertThat(child.getBean(Informers.class)).isSameAs(parent.getBean(Informers.class));
				}));
	}

	@Test
	void childShouldNotStopTheInformersOfItsParent() {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			InformerContextRunner.with(kubernetes).withBean("podHandler", PodHandler.class).run((parent) -> {
				InformerContextRunner.with(kubernetes)
					.withParent(parent)
					.withBean("widgetHandler", WidgetHandler.class)
					.run((child) -> assertThat(
							child.getBean(InformerHandlerRegistry.class).get("widgetHandler").isRunning())
						.isTrue());
				assertThat(parent.getBean(Informers.class).isRunning()).isTrue();
			});
		}
	}

	@Test
	void childShouldStartItsOwnInformersWhenTheParentHasNone() {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			new ApplicationContextRunner().run((parent) -> InformerContextRunner.with(kubernetes)
				.withParent(parent)
				.withBean("podHandler", PodHandler.class)
				.run((child) -> assertThat(child.getBean(Informers.class).isRunning()).isTrue()));
		}
	}

	@Test
	void settingsShouldComeFromTheHandlersPropertiesFirst() {
		this.runner.withBean("fullHandler", FullHandler.class)
			.withPropertyValues("kubernetes.informers.handlers.full.resync=1s",
					"kubernetes.informers.handlers.full.namespaces=a,b",
					"kubernetes.informers.handlers.full.label-selector=l=1",
					"kubernetes.informers.handlers.full.field-selector=f=1",
					"kubernetes.informers.handlers.full.concurrency=2",
					"kubernetes.informers.handlers.full.queue-capacity=3",
					"kubernetes.informers.handlers.full.auto-startup=true",
					"kubernetes.informers.handlers.full.readiness=false",
					"kubernetes.informers.resources.pods.resync=2s", "kubernetes.informers.resync=3s")
			.run((context) -> {
				InformerHandlerContainer container = context.getBean(InformerHandlerRegistry.class).get("full");
				assertThat(container.options()).usingRecursiveComparison()
					.ignoringFields("values.retry", "values.exhausted")
					.isEqualTo(HandlerOptions.defaults()
						.withId("full")
						.withResync(Duration.ofSeconds(1))
						.withConcurrency(2)
						.withQueueCapacity(3));
				assertThat(container.spec().namespaces()).containsExactly("a", "b");
				assertThat(container.spec().labelSelector()).isEqualTo("l=1");
				assertThat(container.spec().fieldSelector()).isEqualTo("f=1");
				assertThat(container.isAutoStartup()).isTrue();
				assertThat(container.isReadiness()).isFalse();
			});
	}

	@Test
	void settingsShouldComeFromTheAnnotationNext() {
		this.runner.withBean("fullHandler", FullHandler.class)
			.withPropertyValues("kubernetes.informers.resources.pods.resync=2s",
					"kubernetes.informers.resources.pods.label-selector=r=1", "kubernetes.informers.resync=3s",
					"kubernetes.informers.namespaces=other", "app.concurrency=4")
			.run((context) -> {
				InformerHandlerContainer container = context.getBean(InformerHandlerRegistry.class).get("full");
				assertThat(container.options().resync()).isEqualTo(Duration.ofMinutes(10));
				assertThat(container.options().concurrency()).isEqualTo(4);
				assertThat(container.spec().namespaces()).containsExactly("x", "y", "z");
				assertThat(container.spec().labelSelector()).isEqualTo("l=2");
				assertThat(container.isAutoStartup()).isFalse();
			});
	}

	@Test
	void settingsShouldComeFromTheResourceAndThenFromAll() {
		this.runner.withBean("podHandler", PodHandler.class)
			.withPropertyValues("kubernetes.informers.resources.pods.resync=2s",
					"kubernetes.informers.resources.pods.label-selector=r=1", "kubernetes.informers.resync=3s",
					"kubernetes.informers.namespaces=other", "kubernetes.informers.concurrency=5",
					"kubernetes.informers.queue-capacity=6", "kubernetes.informers.shutdown.drain-timeout=7s")
			.run((context) -> {
				InformerHandlerContainer container = context.getBean(InformerHandlerRegistry.class).get("podHandler");
				assertThat(container.options()).usingRecursiveComparison()
					.ignoringFields("values.retry", "values.exhausted")
					.isEqualTo(HandlerOptions.defaults()
						.withId("podHandler")
						.withResync(Duration.ofSeconds(2))
						.withConcurrency(5)
						.withQueueCapacity(6)
						.withDrainTimeout(Duration.ofSeconds(7)));
				assertThat(container.spec().namespaces()).containsExactly("other");
				assertThat(container.spec().labelSelector()).isEqualTo("r=1");
			});
	}

	@Test
	void namespacesOfAllShouldNotApplyToClusterScopedResources() {
		this.runner.withUserConfiguration(BeanMethodConfiguration.class)
			.withPropertyValues("kubernetes.informers.namespaces=web")
			.run((context) -> assertThat(
					context.getBean(InformerHandlerRegistry.class).get("genericHandler").spec().namespaces())
				.isEmpty());
	}

	@Test
	void allNamespacesShouldReplaceThoseOfLessPrecedence() {
		this.runner.withBean("fullHandler", FullHandler.class)
			.withPropertyValues("kubernetes.informers.handlers.full.namespaces=*")
			.run((context) -> assertThat(context.getBean(InformerHandlerRegistry.class).get("full").spec().namespaces())
				.isEmpty());
	}

	@Test
	void keysShouldMatchIdsWithoutCaseAndSigns() {
		this.runner.withBean("podHandler", PodHandler.class)
			.withSystemProperties("kubernetes.informers.handlers.pod-handler.resync=1s",
					"kubernetes.informers.handlers.pod_handler.concurrency=2")
			.withPropertyValues("kubernetes.informers.handlers.podHandler.queue-capacity=3",
					"kubernetes.informers.resources.[PODS].label-selector=a=b")
			.run((context) -> {
				InformerHandlerContainer container = context.getBean(InformerHandlerRegistry.class).get("podHandler");
				assertThat(container.options().resync()).isEqualTo(Duration.ofSeconds(1));
				assertThat(container.options().concurrency()).isEqualTo(2);
				assertThat(container.options().queueCapacity()).isEqualTo(3);
				assertThat(container.spec().labelSelector()).isEqualTo("a=b");
			});
	}

	@Test
	void resourceKeyWithGroupShouldBeWrittenInBrackets() {
		this.runner.withBean("widgetHandler", WidgetHandler.class)
			.withPropertyValues("kubernetes.informers.resources.[widgets.example.com].resync=9s")
			.run((context) -> assertThat(
					context.getBean(InformerHandlerRegistry.class).get("widgetHandler").options().resync())
				.isEqualTo(Duration.ofSeconds(9)));
	}

	@Test
	void handlersWithEqualSpecsShouldShareAnInformer() {
		this.runner.withBean("podHandler", PodHandler.class)
			.withBean("supertypeHandler", SupertypeHandler.class)
			.run((context) -> assertThat(context.getBean(Informers.class).all()).hasSize(1));
	}

	@InformerHandler
	static class PodHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	static class Other {

		@InformerHandler
		static class PodHandler {

			@OnAdd
			void added(V1Pod pod) {
			}

		}

	}

	@Reconciler
	static class PodReconciler {

		@Reconcile
		void reconcile(V1Pod pod) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ PodHandler.class, PodReconciler.class })
	static class ImportConfiguration {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Registrar.class)
	static class RegistrarConfiguration {

	}

	static class Registrar implements BeanRegistrar {

		@Override
		public void register(BeanRegistry registry, Environment environment) {
			registry.registerBean(PodHandler.class);
			registry.registerBean(PodReconciler.class);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ PodHandler.class, Other.PodHandler.class })
	static class SameNameConfiguration {

	}

	@InformerHandler(id = "fromClass", namespaces = "web")
	static class AnnotatedHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	static class PlainHandler {

		@OnAdd
		void added(V1ConfigMap configMap) {
		}

	}

	static class GenericHandler<T extends KubernetesObject> implements ResourceEventHandler<T> {

		@Override
		public void onAdd(T object) {
		}

		@Override
		public void onUpdate(T before, T after) {
		}

		@Override
		public void onDelete(T object, boolean finalStateUnknown) {
		}

	}

	static class GenericMethods<T extends KubernetesObject> {

		@OnAdd
		void added(ResourceEvent<T> event) {
		}

	}

	@InformerHandler
	static class SubclassHandler extends GenericMethods<V1ConfigMap> {

	}

	@InformerHandler(V1Pod.class)
	static class SupertypeHandler {

		@OnAdd
		void added(KubernetesObject object) {
		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "widgets")
	static class Widget extends CustomObject {

	}

	@InformerHandler
	static class WidgetHandler {

		@OnAdd
		void added(Widget widget) {
		}

	}

	@InformerHandler(id = "full", namespaces = { "x,y", "#{'z'}" }, labelSelector = "l=2", fieldSelector = "f=2",
			resync = "10m", concurrency = "${app.concurrency:8}", autoStartup = "false")
	static class FullHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	interface PodListener {

		void added(V1Pod pod);

	}

	@InformerHandler(id = "jdkProxied", allowAsync = "true")
	static class JdkProxied implements PodListener {

		@Override
		@Async
		@OnAdd
		public void added(V1Pod pod) {
		}

	}

	@InformerHandler(id = "classProxied", allowAsync = "true")
	static class ClassProxied {

		@Async
		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class BeanMethodConfiguration {

		@Bean
		@InformerHandler(id = "fromMethod", resync = "1m")
		AnnotatedHandler annotatedHandler() {
			return new AnnotatedHandler();
		}

		@Bean
		@InformerHandler
		PlainHandler plainHandler() {
			return new PlainHandler();
		}

		@Bean
		@InformerHandler
		GenericHandler<V1Node> genericHandler() {
			return new GenericHandler<>();
		}

		@Bean
		@InformerHandler
		GenericMethods<V1Node> genericMethods() {
			return new GenericMethods<>();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	static class ProxyConfiguration {

		@Bean
		PodListener jdkProxied() {
			return new JdkProxied();
		}

		@Bean
		ClassProxied classProxied() {
			return new ClassProxied();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ScopedConfiguration {

		@Bean
		@Scope(scopeName = "common", proxyMode = ScopedProxyMode.TARGET_CLASS)
		@InformerHandler(id = "scoped")
		PodHandler scopedHandler() {
			return new PodHandler();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyConfiguration {

		@Bean
		@Lazy
		PodHandler lazyHandler() {
			return new PodHandler();
		}

	}

}
