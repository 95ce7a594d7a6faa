package dev.kubeinformer.spring.autoconfigure.properties;

import java.util.Map;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.settings.InformerConfigurationException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of keys that name a handler or resource, and of those that would be lost.
 */
@ExtendWith(OutputCaptureExtension.class)
class ConfigurationKeyTests {

	private final ApplicationContextRunner runner = InformerContextRunner.withoutCluster()
		.withPropertyValues("kubernetes.informers.auto-startup=false")
		.withBean("podHandler", PodHandler.class);

	@Test
	void resourceWithDotsAndNoBracketsShouldFail() {
		this.runner.withPropertyValues("kubernetes.informers.resources.widgets.example.com.label-selector=app=web")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOfSatisfying(InformerConfigurationException.class, (ex) -> {
					assertThat(ex)
						.hasMessageContaining("'kubernetes.informers.resources.widgets.example.com.label-selector'")
						.hasMessageContaining("'widgets.example.com' holds dots");
					assertThat(ex.getAction()).contains(
							"'kubernetes.informers.resources[widgets.example.com].label-selector'",
							"\"[widgets.example.com]\":");
				}));
	}

	@Test
	void handlerWithDotsAndNoBracketsShouldFail() {
		this.runner.withPropertyValues("kubernetes.informers.handlers.com.example.podHandler.retry.max-retries=1")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOf(InformerConfigurationException.class)
				.hasMessageContaining("'com.example.podHandler' holds dots"));
	}

	@Test
	void environmentVariableWithTooManyUnderscoresShouldFailUnderItsOwnName() {
		environment("KUBERNETES_INFORMERS_HANDLERS_POD_HANDLER_LABELSELECTOR", "app=web")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOfSatisfying(InformerConfigurationException.class, (ex) -> {
					assertThat(ex).hasMessageContaining("KUBERNETES_INFORMERS_HANDLERS_POD_HANDLER_LABELSELECTOR");
					assertThat(ex.getAction()).contains("'PODHANDLER'");
				}));
	}

	@ParameterizedTest
	@ValueSource(strings = { "LABELSELECTOR", "LABEL_SELECTOR" })
	void environmentVariablesShouldBeRead(String property) {
		environment("KUBERNETES_INFORMERS_HANDLERS_PODHANDLER_" + property, "app=web").run((context) -> assertThat(
				context.getBean(InformerHandlerRegistry.class).get("podHandler").spec().labelSelector())
			.isEqualTo("app=web"));
	}

	@Test
	void keysThatAreBoundShouldBeLeftAlone(CapturedOutput output) {
		this.runner
			.withPropertyValues("kubernetes.informers.handlers.podHandler.namespaces[0]=web",
					"kubernetes.informers.handlers.podHandler.retry.maxRetries=1",
					"kubernetes.informers.handlers.podHandler.label-selector=app=web",
					"kubernetes.informers.resources.[deployments.apps].resync=1m")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output).doesNotContain("Unknown property");
			});
	}

	@Test
	void propertyThatDoesNotExistShouldBeNamedInTheLog(CapturedOutput output) {
		this.runner.withPropertyValues("kubernetes.informers.handlers.podHandler.resnyc=1m").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).contains("Unknown property 'kubernetes.informers.handlers.podhandler.resnyc'",
					"Did you mean 'kubernetes.informers.handlers.podhandler.resync'?");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "kubernetes.informers.namespace", "kubernetes.informers.resnyc",
			"kubernetes.informers.watch.pagesize2", "kubernetes.client.contxt", "kubernetes.client.ssl.bundel" })
	void propertyThatDoesNotExistAnywhereShouldBeNamedInTheLog(String name, CapturedOutput output) {
		this.runner.withPropertyValues(name + "=1m").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).contains("Unknown property '" + name + "'");
		});
	}

	@ParameterizedTest
	@CsvSource({ "kubernetes.informer.resync, kubernetes.informers.resync",
			"kubernetes.informer.handlers.podHandler.resync, kubernetes.informers.handlers.podhandler.resync",
			"kubernetes.reconciler.foo.min-interval, kubernetes.reconcilers.foo.min-interval",
			"kubernetes.reconciler.defaults.retry.delay, kubernetes.reconcilers.defaults.retry.delay" })
	void prefixInTheSingularShouldBeNamedInTheLog(String name, String meant, CapturedOutput output) {
		this.runner.withPropertyValues(name + "=1m").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).containsIgnoringCase("Unknown property '" + name + "'")
				.contains("Did you mean '" + meant + "'?");
		});
	}

	/** The official client's Spring integration has the same prefix. */
	@ParameterizedTest
	@ValueSource(strings = { "kubernetes.informer.enabled", "kubernetes.informer.client-read-timeout" })
	void propertiesOfTheOfficialIntegrationShouldBeLeftAlone(String name, CapturedOutput output) {
		this.runner.withPropertyValues(name + "=false")
			.run((context) -> assertThat(output).doesNotContain("Unknown property"));
	}

	@Test
	void prefixInTheSingularShouldBeNamedWhereItIsAnEnvironmentVariable(CapturedOutput output) {
		environment("KUBERNETES_INFORMER_WATCH_PAGESIZE", "5").run((context) -> assertThat(output)
			.contains("KUBERNETES_INFORMER_WATCH_PAGESIZE", "Did you mean 'kubernetes.informers.watch.pagesize'?"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "KUBERNETES_INFORMER_SERVICE_HOST", "KUBERNETES_INFORMER_PORT",
			"KUBERNETES_INFORMER_PORT_443_TCP_ADDR" })
	void variablesOfAServiceShouldBeLeftAlone(String variable, CapturedOutput output) {
		environment(variable, "10.0.0.1").run((context) -> assertThat(output).doesNotContain("Unknown property"));
	}

	@Test
	void propertiesThatExistShouldNotBeNamedInTheLog(CapturedOutput output) {
		this.runner
			.withPropertyValues("kubernetes.informers.namespaces[0]=web", "kubernetes.informers.queue-capacity=5",
					"kubernetes.informers.watch.page-size=5", "kubernetes.informers.retry.maxRetries=1",
					"kubernetes.informers.health.stale-after=5m", "kubernetes.informers.observations.enabled=true",
					"kubernetes.client.connect-timeout=1s", "kubernetes.client.allow-in-tests=true")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output).doesNotContain("Unknown property");
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "KUBERNETES_CLIENT_PORT", "KUBERNETES_CLIENT_PORT_80_TCP",
			"KUBERNETES_CLIENT_PORT_80_TCP_ADDR", "KUBERNETES_INFORMERS_WEB_PORT_53_UDP_PROTO",
			"KUBERNETES_INFORMERS_SERVICE_HOST", "KUBERNETES_LEADER_WEB_SERVICE_PORT",
			"KUBERNETES_RECONCILERS_SERVICE_PORT_HTTP", "KUBERNETES_RECONCILERS_PORT_443_TCP_PORT",
			"KUBERNETES_CLUSTERS_EDGE_SERVICE_HOST", "KUBERNETES_INFORMERS_HANDLERS_PORT_80_TCP" })
	void variablesOfAServiceShouldNotBeNamedInTheLog(String variable, CapturedOutput output) {
		environment(variable, "10.0.0.1").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).doesNotContain("Unknown property");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "KUBERNETES_INFORMERS_RESINC", "KUBERNETES_INFORMERS_WATCH_PAGESICE",
			"KUBERNETES_INFORMERS_RESOURCES_PODS_RESINC", "KUBERNETES_INFORMERS_HANDLERS_PODHANDLER_COLOR",
			"KUBERNETES_CLIENT_CONTXT", "KUBERNETES_LEADER_ENABELD", "KUBERNETES_DEFINITIONS_APLY",
			"KUBERNETES_RECONCILERS_DEFAULTS_COLOR" })
	void variableThatDoesNotExistShouldBeNamedInTheLog(String variable, CapturedOutput output) {
		environment(variable, "1m").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).contains("Unknown property").contains(variable);
		});
	}

	@Test
	void keysShouldNotBeCheckedWhenInformersAreOff() {
		this.runner
			.withPropertyValues("kubernetes.informers.enabled=false", "kubernetes.informers.resources.a.b.resync=1s",
					"kubernetes.informers.resources.pod.resync=1s")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@CsvSource({ "pod,'pods'", "pdos,'pods'", "deployments,'[deployments.apps]'", "deployment,'[deployments.apps]'",
			"[deployments.app],'[deployments.apps]'", "podes,'pods'", "configmap,'configmaps'", "nodse,'nodes'" })
	void resourceThatLooksMisspeltShouldFail(String key, String meant) {
		this.runner.withPropertyValues("kubernetes.informers.resources." + key + ".resync=1s")
			.run((context) -> assertThat(context.getStartupFailure()).isInstanceOfSatisfying(
					InformerConfigurationException.class,
					(ex) -> assertThat(ex.getAction()).contains("'" + meant + "'")));
	}

	@Test
	void resourceThatNobodyKnowsYetShouldBeNamedInTheLogOnce(CapturedOutput output) {
		// Though it is much like leases.
		this.runner
			.withPropertyValues("kubernetes.informers.resources.[gadgets.example.com].resync=1s",
					"kubernetes.informers.resources.[releases.coordination.k8s.io].resync=1s")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output).containsOnlyOnce("kubernetes.informers.resources.gadgets.example.com");
			});
	}

	@Test
	void resourcesOfHandlersAndListersAndBuiltInOnesShouldBeKnown(CapturedOutput output) {
		this.runner.withBean(DeploymentReader.class)
			.withPropertyValues("kubernetes.informers.resources.PODS.resync=1s",
					"kubernetes.informers.resources.[deployments.apps].resync=1s",
					"kubernetes.informers.resources.[leases.coordination.k8s.io].resync=1s")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output).doesNotContain("kubernetes.informers.resources");
			});
	}

	private ApplicationContextRunner environment(String name, String value) {
		return this.runner.withInitializer((context) -> context.getEnvironment()
			.getPropertySources()
			.replace("systemEnvironment",
					new SystemEnvironmentPropertySource("systemEnvironment", Map.of(name, value))));
	}

	@InformerHandler
	static class PodHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	static class DeploymentReader {

		DeploymentReader(Lister<V1Deployment> deployments) {
		}

	}

}
