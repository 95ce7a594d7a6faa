package dev.kubeinformer.spring.test;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinitionVersion;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.ContextHierarchy;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.annotation.Watches;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/**
 * Tests that the embedded APIs define the custom resources of an application before its
 * informers ask for them.
 */
class DefinitionsTests {

	private static void inContext(Class<?> testClass, Consumer<ApplicationContext> assertions) {
		TestContextManager manager = new TestContextManager(testClass);
		try {
			assertions.accept(manager.getTestContext().getApplicationContext());
		}
		finally {
			manager.getTestContext().markApplicationContextDirty(DirtiesContext.HierarchyMode.EXHAUSTIVE);
		}
	}

	private static EmbeddedKubernetes server(ApplicationContext context) {
		return context.getBean(EmbeddedKubernetes.class);
	}

	private static ApiResources<V1CustomResourceDefinition> definitions(EmbeddedKubernetes kubernetes) {
		return kubernetes.resources(V1CustomResourceDefinition.class);
	}

	private static Set<String> names(EmbeddedKubernetes kubernetes) {
		return definitions(kubernetes).list()
			.stream()
			.map((definition) -> definition.getMetadata().getName())
			.collect(Collectors.toSet());
	}

	private static List<String> versions(EmbeddedKubernetes kubernetes, String name) {
		V1CustomResourceDefinition definition = definitions(kubernetes).get(name);
		assertThat(definition).as(name).isNotNull();
		return definition.getSpec().getVersions().stream().map(V1CustomResourceDefinitionVersion::getName).toList();
	}

	private static void assertNothingMissed(EmbeddedKubernetes kubernetes) {
		assertThat(kubernetes.requests()).filteredOn(RecordedRequest::isList).isNotEmpty();
		assertThat(kubernetes.requests()).extracting(RecordedRequest::status).doesNotContain(404);
	}

	@Test
	void everythingThatTheApplicationUsesShouldBeDefinedBeforeTheInformersAsk() {
		inContext(ApplicationCase.class, (context) -> {
			EmbeddedKubernetes kubernetes = server(context);
			assertThat(names(kubernetes)).containsExactlyInAnyOrder("handleds.example.com", "primaries.example.com",
					"children.example.com", "watcheds.example.com", "reads.example.com", "laters.example.com");
			await().untilAsserted(() -> assertThat(context.getBean(Informers.class).all())
				.allSatisfy((informer) -> assertThat(informer.hasSynced()).isTrue()));
			assertNothingMissed(kubernetes);
		});
	}

	@Test
	void objectsShouldBeAvailableByTheClassAlone() {
		inContext(ApplicationCase.class, (context) -> {
			ApiResources<Handled> all = server(context).resources(Handled.class);
			all.create(object(new Handled(), "one"));
			assertThat(all.list()).singleElement().extracting(Handled::getKind).isEqualTo("Handled");
		});
	}

	@Test
	void informerThatIsRequestedLaterShouldFindItsDefinition() {
		inContext(ApplicationCase.class, (context) -> {
			EmbeddedKubernetes kubernetes = server(context);
			context.getBean(InformerHandlerRegistry.class)
				.register("registered", InformerSpec.of(Registered.class), HandlerOptions.defaults(), (event) -> {
				});
			assertThat(names(kubernetes)).contains("registereds.example.com");
			Informers informers = context.getBean(Informers.class);
			informers.controller(ReconcilerSpec.of("own", Own.class, (own, run) -> Result.done())).start();
			assertThat(names(kubernetes)).contains("owns.example.com");
			await().untilAsserted(() -> assertThat(informers.all())
				.allSatisfy((informer) -> assertThat(informer.hasSynced()).isTrue()));
			assertNothingMissed(kubernetes);
		});
	}

	@Test
	void resetShouldKeepTheDefinitions() {
		inContext(ApplicationCase.class, (context) -> {
			Set<String> before = names(server(context));
			context.getBean(EmbeddedKubernetesReset.class).run();
			assertThat(names(server(context))).isEqualTo(before).isNotEmpty();
		});
	}

	@Test
	void definitionOfTheTestShouldWin() {
		inContext(OwnDefinitionCase.class, (context) -> {
			EmbeddedKubernetes kubernetes = server(context);
			assertThat(versions(kubernetes, "handleds.example.com")).containsExactly("v7");
			assertThat(names(kubernetes)).contains("primaries.example.com");
		});
	}

	@Test
	void definitionThatTheTestServesLaterShouldReplaceTheGeneratedOne() {
		inContext(ApplicationCase.class, (context) -> {
			EmbeddedKubernetes kubernetes = server(context);
			kubernetes.serve("example.com", "v9", "handleds", "Handled", true);
			context.getBean(Informers.class).informer(InformerSpec.of(OlderHandled.class));
			assertThat(versions(kubernetes, "handleds.example.com")).containsExactly("v9");
		});
	}

	@Test
	void nothingShouldBeDefinedIfTheTestSaysSo() {
		inContext(OffCase.class, (context) -> {
			context.getBean(Informers.class).informer(InformerSpec.of(Registered.class));
			assertThat(names(server(context))).isEmpty();
		});
	}

	@Test
	void contextShouldBeAnotherOneWithoutDefinitions() {
		EmbeddedKubernetesContextCustomizer with = new EmbeddedKubernetesContextCustomizer(1, false, "default",
				List.of(), true, true);
		assertThat(with)
			.isNotEqualTo(new EmbeddedKubernetesContextCustomizer(1, false, "default", List.of(), false, true));
	}

	@Test
	void childContextShouldFindItsDefinitionsThoughTheInformersRun() {
		inContext(HierarchyCase.class, (context) -> {
			EmbeddedKubernetes kubernetes = server(context);
			assertThat(names(kubernetes)).contains("handleds.example.com", "registereds.example.com");
			await().untilAsserted(() -> assertThat(context.getBean(Informers.class).all())
				.allSatisfy((informer) -> assertThat(informer.hasSynced()).isTrue()));
			assertNothingMissed(kubernetes);
		});
	}

	@Test
	void versionOfAChildContextShouldJoinThoseOfItsParent() {
		inContext(VersionsCase.class, (context) -> assertThat(versions(server(context), "handleds.example.com"))
			.containsExactlyInAnyOrder("v1", "v1beta1"));
	}

	@Test
	void eachClusterShouldDefineWhatIsUsedThere() {
		inContext(ClustersCase.class, (context) -> {
			EmbeddedKubernetes edge = BeanFactoryAnnotationUtils
				.qualifiedBeanOfType(context.getAutowireCapableBeanFactory(), EmbeddedKubernetes.class, "edge");
			assertThat(names(edge)).containsExactlyInAnyOrder("edges.example.com", "registereds.example.com");
			assertThat(names(server(context))).containsExactly("registereds.example.com");
		});
	}

	@Test
	void informersOfTheTestShouldFindTheirDefinitions() {
		inContext(OwnInformersCase.class, (context) -> {
			assertThat(names(server(context))).containsExactly("handleds.example.com");
			context.getBean(Informers.class).informer(Registered.class);
			assertThat(names(server(context))).contains("registereds.example.com");
		});
	}

	@ParameterizedTest
	@ValueSource(classes = { UndefinableCase.class, UndefinableChildCase.class })
	void classWithoutADefinitionShouldFailTheContext(Class<?> testClass) {
		TestContextManager manager = new TestContextManager(testClass);
		assertThatException().isThrownBy(() -> manager.getTestContext().getApplicationContext())
			.satisfies((ex) -> assertThat(messages(ex)).contains("use @EmbeddedKubernetesTest(definitions = false)"))
			.havingRootCause()
			.withMessageContaining(Undefinable.class.getName())
			.withMessageContaining("itself");
	}

	@Test
	void classWithoutADefinitionShouldHaveThatOfTheTest() {
		inContext(DefinedCase.class, (context) -> {
			EmbeddedKubernetes kubernetes = server(context);
			assertThat(versions(kubernetes, "undefinables.example.com")).containsExactly("v1");
			assertThat(names(kubernetes)).contains("handleds.example.com");
		});
	}

	private static String messages(Throwable failure) {
		return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
			.map(Throwable::getMessage)
			.collect(Collectors.joining("\n"));
	}

	private static <T extends BaseObject> T object(T object, String name) {
		((BaseObject) object).metadata = new V1ObjectMeta().namespace("default").name(name);
		return object;
	}

	@SpringJUnitConfig(Application.class)
	@TestPropertySource(properties = "kubernetes.reconcilers.later.auto-startup=false")
	@EmbeddedKubernetesTest
	static class ApplicationCase {

	}

	@SpringJUnitConfig({ Application.class, OwnDefinition.class })
	@TestPropertySource(properties = "kubernetes.reconcilers.later.auto-startup=false")
	@EmbeddedKubernetesTest
	static class OwnDefinitionCase {

	}

	@SpringJUnitConfig(Application.class)
	@TestPropertySource(properties = "kubernetes.reconcilers.later.auto-startup=false")
	@EmbeddedKubernetesTest(definitions = false)
	static class OffCase {

	}

	@ContextHierarchy({ @ContextConfiguration(classes = HandlingApplication.class),
			@ContextConfiguration(classes = RegisteredApplication.class) })
	@EmbeddedKubernetesTest
	static class HierarchyCase {

	}

	@ContextHierarchy({ @ContextConfiguration(classes = HandlingApplication.class),
			@ContextConfiguration(classes = OlderApplication.class) })
	@EmbeddedKubernetesTest
	static class VersionsCase {

	}

	@SpringJUnitConfig(ClustersApplication.class)
	@EmbeddedKubernetesTest(clusters = "edge")
	static class ClustersCase {

	}

	@SpringJUnitConfig(OwnInformers.class)
	@EmbeddedKubernetesTest
	static class OwnInformersCase {

	}

	@SpringJUnitConfig(UndefinableApplication.class)
	@EmbeddedKubernetesTest
	static class UndefinableCase {

	}

	@SpringJUnitConfig({ UndefinableApplication.class, HandlingApplication.class, UndefinableDefinition.class })
	@EmbeddedKubernetesTest
	static class DefinedCase {

	}

	// A parent of its own, because a failure leaves it in the cache.
	@ContextHierarchy({ @ContextConfiguration(classes = ClustersApplication.class),
			@ContextConfiguration(classes = UndefinableApplication.class) })
	@EmbeddedKubernetesTest(clusters = "edge")
	static class UndefinableChildCase {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })
	@Import({ HandledHandler.class, PrimaryReconciler.class, LaterReconciler.class, Reader.class })
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })
	@Import(HandledHandler.class)
	static class HandlingApplication {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })
	@Import(RegisteredHandler.class)
	static class RegisteredApplication {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })
	@Import(OlderHandler.class)
	static class OlderApplication {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })
	@Import(UndefinableHandler.class)
	static class UndefinableApplication {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })
	@Import({ EdgeHandler.class, EverywhereHandler.class })
	static class ClustersApplication {

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnInformers {

		@Bean(destroyMethod = "close")
		Informers informers(ApiClient client) {
			Informers informers = Informers.builder(client).build();
			informers.informer(Handled.class);
			return informers;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnDefinition {

		@Bean
		Object served(EmbeddedKubernetes kubernetes) {
			kubernetes.serve("example.com", "v7", "handleds", "Handled", true);
			return "served";
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class UndefinableDefinition {

		@Bean
		Object served(EmbeddedKubernetes kubernetes) {
			kubernetes.serve("example.com", "v1", "undefinables", "Undefinable", true);
			return "served";
		}

	}

	@InformerHandler(id = "handled")
	static class HandledHandler {

		@OnAdd
		void added(Handled object) {
		}

	}

	@InformerHandler(id = "older")
	static class OlderHandler {

		@OnAdd
		void added(OlderHandled object) {
		}

	}

	@InformerHandler(id = "registered")
	static class RegisteredHandler {

		@OnAdd
		void added(Registered object) {
		}

	}

	@InformerHandler(id = "undefinable")
	static class UndefinableHandler {

		@OnAdd
		void added(Undefinable object) {
		}

	}

	@InformerHandler(id = "edges", cluster = "edge")
	static class EdgeHandler {

		@OnAdd
		void added(Edge object) {
		}

	}

	@InformerHandler(id = "everywhere", cluster = { "default", "edge" })
	static class EverywhereHandler {

		@OnAdd
		void added(Registered object) {
		}

	}

	@Reconciler(id = "primaries")
	static class PrimaryReconciler {

		@Reconcile
		void reconcile(Primary primary, Owned<Child> children, Reconciliation<Primary> run) {
		}

		@Watches
		ObjectKey primary(Watched watched) {
			return new ObjectKey("default", "one");
		}

	}

	@Reconciler(id = "later")
	static class LaterReconciler {

		@Reconcile
		void reconcile(Later later) {
		}

	}

	static class Reader {

		Reader(Lister<Read> lister) {
		}

	}

	abstract static class BaseObject implements KubernetesObject {

		private @Nullable String apiVersion = "example.com/v1";

		private @Nullable String kind = getClass().getSimpleName();

		private V1ObjectMeta metadata = new V1ObjectMeta();

		@Override
		public @Nullable String getApiVersion() {
			return this.apiVersion;
		}

		@Override
		public @Nullable String getKind() {
			return this.kind;
		}

		@Override
		public V1ObjectMeta getMetadata() {
			return this.metadata;
		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "handleds")
	static class Handled extends BaseObject {

	}

	@KubernetesResource(group = "example.com", version = "v1beta1", plural = "handleds", kind = "Handled",
			storage = false)
	static class OlderHandled extends BaseObject {

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "primaries")
	static class Primary extends BaseObject {

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "children")
	static class Child extends BaseObject {

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "watcheds")
	static class Watched extends BaseObject {

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "reads")
	static class Read extends BaseObject {

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "laters")
	static class Later extends BaseObject {

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "registereds")
	static class Registered extends BaseObject {

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "owns")
	static class Own extends BaseObject {

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "edges")
	static class Edge extends BaseObject {

	}

	/**
	 * Resource whose schema would never end.
	 */
	@KubernetesResource(group = "example.com", version = "v1", plural = "undefinables")
	static class Undefinable extends BaseObject {

		private @Nullable Node spec;

		/**
		 * Part that contains itself.
		 */
		static class Node {

			private @Nullable Node itself;

		}

	}

}
