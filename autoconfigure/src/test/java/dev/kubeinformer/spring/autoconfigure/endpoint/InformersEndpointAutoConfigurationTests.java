package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;

import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.ReflectionException;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.jmx.JmxEndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jmx.JmxAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.env.MockEnvironment;

import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.handler.InformerHandlers;
import dev.kubeinformer.spring.rbac.RequiredRoles;
import dev.kubeinformer.spring.reconciler.MissingRights;
import dev.kubeinformer.spring.reconciler.Reconcilers;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

/**
 * Tests of when there is an endpoint, and of its use without HTTP.
 */
class InformersEndpointAutoConfigurationTests {

	private static final String EXPOSED = "management.endpoints.web.exposure.include=informers";

	private static final AutoConfigurations AUTO_CONFIGURATIONS = AutoConfigurations.of(EndpointAutoConfiguration.class,
			InformersEndpointAutoConfiguration.class);

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes)
		.withConfiguration(AUTO_CONFIGURATIONS);

	private final WebApplicationContextRunner webRunner = new WebApplicationContextRunner()
		.withConfiguration(AUTO_CONFIGURATIONS)
		.withConfiguration(
				AutoConfigurations.of(KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class))
		.withPropertyValues(InformerContextRunner.NO_CLUSTER)
		.withPropertyValues("kubernetes.client.url=" + this.kubernetes.url());

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void endpointShouldBeThereWhenItIsExposed() {
		this.webRunner.withPropertyValues(EXPOSED)
			.run((context) -> assertThat(context).hasSingleBean(InformersEndpoint.class)
				.hasSingleBean(InformersEndpointWebExtension.class));
	}

	@Test
	void handlerThatWaitsForACacheShouldNameIt() {
		this.kubernetes.faults().on(Requests.of("pods")).forbid();
		this.webRunner.withBean(PodHandler.class).withPropertyValues(EXPOSED).run((context) -> {
			InformersEndpoint endpoint = context.getBean(InformersEndpoint.class);
			assertThat(endpoint.informers().handlers()).singleElement()
				.satisfies((handler) -> assertThat(handler.awaiting()).containsExactly("pods"));
			this.kubernetes.faults().clear();
			await().untilAsserted(() -> assertThat(endpoint.informers().handlers()).singleElement()
				.satisfies((handler) -> assertThat(handler.awaiting()).isEmpty()));
		});
	}

	@Test
	void endpointShouldBeAbsentWhenItIsNotExposed() {
		this.webRunner.run((context) -> assertThat(context).doesNotHaveBean(InformersEndpoint.class)
			.doesNotHaveBean(InformersEndpointWebExtension.class));
	}

	@Test
	void endpointShouldBeAbsentWhenItsAccessIsNone() {
		this.webRunner.withPropertyValues(EXPOSED, "management.endpoint.informers.access=NONE")
			.run((context) -> assertThat(context).doesNotHaveBean(InformersEndpoint.class)
				.doesNotHaveBean(InformersEndpointWebExtension.class));
	}

	@Test
	void endpointShouldBeAbsentWhenInformersAreOff() {
		this.webRunner.withPropertyValues(EXPOSED, "kubernetes.informers.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(InformersEndpoint.class)
				.doesNotHaveBean(InformersEndpointWebExtension.class));
	}

	@Test
	void endpointShouldBeAbsentWithoutActuator() {
		InformerContextRunner.with(this.kubernetes)
			.withConfiguration(AutoConfigurations.of(InformersEndpointAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate.endpoint"))
			.withBean(PodHandler.class)
			.withPropertyValues(EXPOSED)
			.run((context) -> {
				assertThat(context).hasNotFailed().doesNotHaveBean(InformersEndpointAutoConfiguration.class);
				await().until(() -> context.getBean(InformerHandlerRegistry.class).get("podHandler").hasSynced());
			});
	}

	@Test
	void endpointShouldBackOffWhenUserDefinesIt() {
		this.webRunner.withPropertyValues(EXPOSED).withUserConfiguration(OwnEndpoint.class).run((context) -> {
			assertThat(context).hasSingleBean(InformersEndpoint.class).hasBean("own");
			assertThat(context).hasSingleBean(InformersEndpointWebExtension.class);
		});
	}

	@Test
	void extensionShouldBackOffWhenUserDefinesIt() {
		this.webRunner.withPropertyValues(EXPOSED)
			.withBean("own", InformersEndpointWebExtension.class, () -> new InformersEndpointWebExtension(null))
			.run((context) -> assertThat(context).hasSingleBean(InformersEndpointWebExtension.class).hasBean("own"));
	}

	@Test
	void endpointShouldBeThereForJmxAlone() {
		this.runner.withPropertyValues("spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=informers")
			.run((context) -> assertThat(context).hasSingleBean(InformersEndpoint.class)
				.doesNotHaveBean(InformersEndpointWebExtension.class));
	}

	@Test
	void operationsShouldWorkOverJmx() {
		jmx("UNRESTRICTED").run((context) -> {
			await().until(() -> context.getBean(InformerHandlerRegistry.class).get("podHandler").hasSynced());
			assertThat(invoke("informers")).asInstanceOf(InstanceOfAssertFactories.MAP)
				.containsOnlyKeys("informers", "handlers", "reconcilers", "leader", "shards")
				.containsEntry("leader", null)
				.containsEntry("shards", null);
			assertThat(invoke("informer", "podHandler")).asInstanceOf(InstanceOfAssertFactories.MAP)
				.containsEntry("state", "RUNNING")
				.containsEntry("resync", "0s");
			assertThat(invoke("informer", "pods")).asInstanceOf(InstanceOfAssertFactories.MAP)
				.containsEntry("id", "pods");
			assertThat(invoke("informer", "rbac")).asString().contains("kind: ClusterRole");
			assertThat(invoke("informer", "rbac", "default")).asString().contains("kind: ClusterRole");
			assertThat(invoke("informer", "nobody")).isNull();
			assertThat(invoke("handle", "podHandler", "pause", null)).asInstanceOf(InstanceOfAssertFactories.MAP)
				.containsEntry("state", "PAUSED");
			assertThat(invoke("handle", "podHandler", "RESUME")).asInstanceOf(InstanceOfAssertFactories.MAP)
				.containsEntry("state", "RUNNING");
			assertThatExceptionOfType(ReflectionException.class)
				.isThrownBy(() -> invoke("handle", "podHandler", "x", null))
				.withMessageContaining("PAUSE, RESUME, RESYNC, START, STOP");
			assertThatExceptionOfType(ReflectionException.class)
				.isThrownBy(() -> invoke("handle", "pods", "PAUSE", null))
				.withMessageContaining("actions are for handlers");
		});
	}

	@Test
	void actionsShouldNotBeThereOverJmxByDefault() {
		jmx("READ_ONLY").run((context) -> {
			assertThat(invoke("informer", "podHandler")).isNotNull();
			assertThatExceptionOfType(ReflectionException.class)
				.isThrownBy(() -> invoke("handle", "podHandler", "PAUSE"))
				.withMessageContaining("no operation named handle");
		});
	}

	private ApplicationContextRunner jmx(String access) {
		return this.runner
			.withConfiguration(AutoConfigurations.of(JmxAutoConfiguration.class, JmxEndpointAutoConfiguration.class,
					JacksonAutoConfiguration.class))
			.withBean(PodHandler.class)
			.withPropertyValues("spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=informers",
					"management.endpoints.jmx.domain=informers-test", "management.endpoint.informers.access=" + access);
	}

	private static Object invoke(String operation, String... arguments) throws Exception {
		MBeanServer server = ManagementFactory.getPlatformMBeanServer();
		ObjectName name = server.queryNames(new ObjectName("informers-test:name=Informers,*"), null).iterator().next();
		String[] signature = new String[arguments.length];
		Arrays.fill(signature, String.class.getName());
		return server.invoke(name, operation, arguments, signature);
	}

	@Test
	void actionShouldNeedAName() {
		this.webRunner.withPropertyValues(EXPOSED).withBean(PodHandler.class).run((context) -> {
			InformersEndpoint endpoint = context.getBean(InformersEndpoint.class);
			assertThatExceptionOfType(InvalidEndpointRequestException.class)
				.isThrownBy(() -> endpoint.handle("podHandler", null, null))
				.withMessageContaining("There is no 'action'");
		});
	}

	@Test
	void informersShouldBeThereBeforeTheyAreStarted() {
		this.webRunner.withPropertyValues(EXPOSED, "kubernetes.informers.auto-startup=false")
			.withBean(PodHandler.class)
			.withBean(NodeReader.class)
			.run((context) -> {
				InformersDescriptor all = context.getBean(InformersEndpoint.class).informers();
				assertThat(all.informers()).extracting(InformerDescriptor::id, InformerDescriptor::state)
					.containsExactly(tuple("nodes", "NEW"), tuple("pods", "NEW"));
				assertThat(all.informers()).extracting(InformerDescriptor::resourceVersion).containsOnlyNulls();
				assertThat(context.getBean(Informers.class).isRunning()).isFalse();
				assertThat(this.kubernetes.requests()).isEmpty();
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "rbac", "RBAC", "r-b_ac" })
	void startWithHandlerOfTheReservedIdShouldFail(String id) {
		this.runner.withBean(PlaceholderHandler.class)
			.withPropertyValues("handler.id=" + id)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InformerConfigurationException.class)
				.hasMessageContaining("has the id '" + id + "', which is taken by the list of RBAC rules"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "nodes", "Nodes" })
	void startWithHandlerOfTheIdOfAListersInformerShouldFail(String id) {
		this.runner.withBean(PlaceholderHandler.class)
			.withBean(NodeReader.class)
			.withPropertyValues("handler.id=" + id)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InformerConfigurationException.class)
				.hasMessageContaining("which is taken by the informer 'nodes'"));
	}

	@ParameterizedTest
	@CsvSource({ "Shop Front,shop-front-informers", "shop.front_2,shop-front-2-informers", "'',informers",
			"-ö-,informers", "(a),a-informers" })
	void rolesShouldBeNamedAfterTheApplication(String application, String name) {
		assertThat(RequiredRoles.name(new MockEnvironment().withProperty("spring.application.name", application)))
			.isEqualTo(name);
	}

	@Test
	void hintsShouldCoverWhatIsAnswered() {
		RuntimeHints hints = new RuntimeHints();
		new InformersEndpointRuntimeHints().registerHints(hints, getClass().getClassLoader());
		for (Class<?> type : List.of(InformersDescriptor.class, InformerDescriptor.class, InformerDescriptor.Spec.class,
				InformerDescriptor.Failure.class, HandlerDescriptor.class, HandlerDescriptor.Handling.class,
				HandlerDescriptor.Failure.class, ReconcilerDescriptor.class, ReconcilerDescriptor.Source.class,
				ReconcilerDescriptor.Queue.class, ReconcilerDescriptor.Runs.class, ReconcilerDescriptor.Failing.class,
				ReconcilerDescriptor.Settings.class, ProblemDescriptor.class)) {
			assertThat(RuntimeHintsPredicates.reflection().onType(type)).as(type.getName()).accepts(hints);
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnEndpoint {

		@Bean
		InformersEndpoint own(ClusterRuntimes clusters, InformerHandlers handlers, Reconcilers reconcilers,
				MissingRights missingRights) {
			return new InformersEndpoint(clusters, handlers, reconcilers, missingRights, null, "default", "own");
		}

	}

	@InformerHandler(id = "podHandler")
	static class PodHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@InformerHandler(id = "${handler.id}")
	static class PlaceholderHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	static class NodeReader {

		NodeReader(Lister<V1Node> nodes) {
		}

	}

}
