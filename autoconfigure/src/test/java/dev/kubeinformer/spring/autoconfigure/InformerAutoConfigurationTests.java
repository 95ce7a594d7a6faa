package dev.kubeinformer.spring.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfigurationImportSelector;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AnnotationAttributes;
import org.springframework.core.type.AnnotationMetadata;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.InformerSource;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.autoconfigure.cluster.InformerCustomizer;
import dev.kubeinformer.spring.autoconfigure.properties.InformersProperties;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.InformerSpecs;
import dev.kubeinformer.spring.settings.InvalidPropertyValueException;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.InformerState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests of the beans, of how they back off and of how they start and stop.
 */
@ExtendWith(OutputCaptureExtension.class)
class InformerAutoConfigurationTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes);

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void contextWhenNoHandlersShouldNeedNoCluster() {
		InformerContextRunner.withoutCluster()
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(Informers.class)
				.hasSingleBean(InformerHandlerRegistry.class));
	}

	@ParameterizedTest
	@ValueSource(classes = { Supplier.class, Function.class, Consumer.class })
	void beansShouldNotBeTakenForFunctionsOfTheApplication(Class<?> type) {
		// Spring Cloud Function serves such beans by HTTP, and binds the only one.
		this.runner.run((context) -> assertThat(context).doesNotHaveBean(type));
	}

	@Test
	void informersAskedForByClassShouldFollowTheConfiguration() {
		this.runner
			.withPropertyValues("kubernetes.informers.namespaces=web,shop",
					"kubernetes.informers.resources.pods.label-selector=app=web")
			.run((context) -> {
				InformerSpec<V1Pod> spec = context.getBean(Informers.class).informer(V1Pod.class).spec();
				assertThat(spec.namespaces()).containsExactly("shop", "web");
				assertThat(spec.labelSelector()).isEqualTo("app=web");
			});
	}

	@Test
	void contextWhenAutoStartupIsOffShouldNeedNoCluster() {
		InformerContextRunner.withoutCluster()
			.withBean(PodHandler.class)
			.withBean(NodeReader.class)
			.withPropertyValues("kubernetes.informers.auto-startup=false")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void startWhenAutoStartupIsOffShouldConnectHandlers() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean(PodHandler.class)
			.withPropertyValues("kubernetes.informers.auto-startup=false")
			.run((context) -> {
				assertThat(this.kubernetes.requests()).isEmpty();
				context.getBean(Informers.class).start();
				await().until(() -> context.getBean(InformerHandlerRegistry.class).get("podHandler").hasSynced());
			});
	}

	@Test
	void contextWhenDisabledShouldHaveNoHandlers(CapturedOutput output) {
		InformerContextRunner.withoutCluster()
			.withBean(PodHandler.class)
			.withBean(NodeReader.class)
			.withPropertyValues("kubernetes.informers.enabled=false", "kubernetes.informers.handlers.gone.resync=1s")
			.run((context) -> {
				assertThat(context).hasNotFailed()
					.doesNotHaveBean(InformerHandlerRegistry.class)
					.doesNotHaveBean(InformersLifecycle.class);
				assertThat(context.getBean(NodeReader.class).nodes.list()).isEmpty();
			});
		assertThat(output).containsOnlyOnce("Kubernetes informers are disabled");
	}

	@Test
	void contextWhenHealthIsAbsentShouldWork() {
		runWithout("org.springframework.boot.health", "org.springframework.boot.actuate");
	}

	@Test
	void contextWhenActuatorIsAbsentShouldWork() {
		runWithout("org.springframework.boot.actuate");
	}

	private void runWithout(String... packages) {
		new ApplicationContextRunner().withUserConfiguration(EverythingConfiguration.class)
			.withBean(PodHandler.class)
			.withPropertyValues("kubernetes.client.url=" + this.kubernetes.url())
			.withClassLoader(new FilteredClassLoader(packages))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				await().until(() -> context.getBean(InformerHandlerRegistry.class).get("podHandler").hasSynced());
			});
	}

	@Test
	void contextWhenUserDefinesBeansShouldBackOff() {
		this.runner.withUserConfiguration(UserBeans.class)
			.run((context) -> assertThat(context).hasSingleBean(Informers.class)
				.hasSingleBean(ConfiguredSettings.class)
				.hasSingleBean(InformerSpecs.class)
				.hasSingleBean(InformerHandlerRegistry.class));
	}

	@Test
	void informersOfTheApplicationShouldBeRefusedBesideThePropertiesOfAnotherCluster() {
		this.runner
			.withPropertyValues("kubernetes.client.token=s3cret", "kubernetes.client.protobuf=off",
					"kubernetes.clusters.edge.url=http://edge")
			.withBean("otherCluster", Informers.class, () -> Informers.builder(ApiClient::new).build())
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOfSatisfying(InformerConfigurationException.class, (ex) -> {
					assertThat(ex)
						.hasMessageContaining("Informers bean 'otherCluster' would replace the auto-configured")
						.hasMessageContaining("kubernetes.client.url, kubernetes.client.token, "
								+ "kubernetes.client.protobuf, kubernetes.clusters.edge")
						.message()
						.doesNotContain("s3cret");
					assertThat(ex.getAction()).contains("@Bean(defaultCandidate = false)", "'kubernetes.clusters'",
							"Informers.Builder bean 'kubernetesInformersBuilder'", "remove the properties");
				}));
	}

	@Test
	void informersOfTheApplicationShouldBeReportedWhereNoClusterIsConfigured(CapturedOutput output) {
		InformerContextRunner.withoutCluster()
			.withBean("otherCluster", Informers.class, () -> Informers.builder(ApiClient::new).build())
			.run((context) -> assertThat(context).hasSingleBean(Informers.class));
		assertThat(output)
			.contains("Using the application's own Informers bean 'otherCluster' instead of the auto-configured one");
	}

	@Test
	void severalInformersOfTheApplicationShouldBeRefused() {
		InformerContextRunner.withoutCluster()
			.withBean("one", Informers.class, () -> Informers.builder(ApiClient::new).build())
			.withBean("two", Informers.class, () -> Informers.builder(ApiClient::new).build())
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InformerConfigurationException.class)
				.hasMessageContaining("There are 2 Informers beans of the application")
				.hasMessageContaining("'one', 'two'"));
	}

	@Test
	void writesOfRunsShouldBeRecordedForInformersOfTheApplicationFromOurBuilder() {
		this.runner.withUserConfiguration(OwnInformers.class).withBean(PodHandler.class).run((context) -> {
			await().until(() -> context.getBean(InformerHandlerRegistry.class).get("podHandler").hasSynced());
			assertThat(context.getBean(ApiClient.class).getHttpClient().interceptors())
				.extracting((interceptor) -> interceptor.getClass().getSimpleName())
				.contains("OwnWriteInterceptor");
		});
	}

	@Test
	void informersOfTheApplicationFromOurBuilderShouldBeReportedAlone(CapturedOutput output) {
		this.runner.withUserConfiguration(UserBeans.class)
			.run((context) -> assertThat(context).hasSingleBean(Informers.class));
		assertThat(output).contains("Using the application's own Informers bean 'userInformers' instead")
			.doesNotContain("These properties have no effect");
	}

	@Test
	void informersOfASecondClusterShouldStandBesideOurs(CapturedOutput output) {
		try (EmbeddedKubernetes other = EmbeddedKubernetes.start()) {
			other.resources(V1Pod.class).create(TestObjects.pod("edge", "p"));
			this.runner.withPropertyValues("other=" + other.url())
				.withUserConfiguration(SecondCluster.class)
				.withBean(PodHandler.class)
				.run((context) -> {
					SecondCluster second = context.getBean(SecondCluster.class);
					await().until(() -> second.informers.snapshot(V1Pod.class).size() == 1);
					await().until(() -> context.getBean(InformerHandlerRegistry.class).get("podHandler").hasSynced());
					assertThat(context.getBean(Informers.class)).isNotSameAs(second.informers);
					assertThat(context.getBean(Informers.class).snapshot(V1Pod.class).size()).isZero();
				});
			assertThat(output).doesNotContain("Informers bean");
		}
	}

	@Test
	void usersClientShouldBeUsed() {
		InformerContextRunner.withoutCluster()
			.withBean(PodHandler.class)
			.withBean(ApiClient.class, () -> new ApiClient().setBasePath(this.kubernetes.url()))
			.run((context) -> await()
				.until(() -> context.getBean(InformerHandlerRegistry.class).get("podHandler").hasSynced()));
	}

	@Test
	void cachesShouldStartBeforeTheWebServerAndHandlersAfterIt() {
		this.runner.run((context) -> {
			assertThat(context.getBean(InformersLifecycle.class).getPhase()).isEqualTo(Integer.MAX_VALUE - 4096);
			assertThat(context.getBean("informerHandlerLifecycle")).extracting("phase")
				.isEqualTo(Integer.MAX_VALUE - 100);
		});
	}

	@Test
	void startShouldNotWaitForSync() {
		this.kubernetes.faults().on(Requests.any()).status(503);
		this.runner.withBean(NodeReader.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(NodeReader.class).nodes.list()).isEmpty();
		});
	}

	@Test
	void startWhenItWaitsForSyncShouldHaveFilledListers() {
		this.kubernetes.resources(V1Node.class).fill(50, (i) -> TestObjects.node("n" + i));
		this.runner.withBean(NodeReader.class)
			.withPropertyValues("kubernetes.informers.startup.wait-for-sync=true")
			.run((context) -> assertThat(context.getBean(NodeReader.class).nodes.list()).hasSize(50));
	}

	@Test
	void startWhenSyncTakesTooLongShouldNameTheMissingRule() {
		this.kubernetes.faults().on(Requests.any()).forbid();
		this.runner.withBean(NodeReader.class)
			.withPropertyValues("kubernetes.informers.startup.wait-for-sync=true",
					"kubernetes.informers.startup.timeout=4s")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOfSatisfying(InformerSyncTimeoutException.class, (ex) -> {
					assertThat(ex).hasMessageContaining("not synced after 4s")
						.hasMessageContaining("'nodes' is FORBIDDEN");
					assertThat(ex).hasMessageContaining("HTTP 403");
					assertThat(ex.getAction()).contains("ClusterRole", "\"nodes\"", "\"list\", \"watch\"")
						.doesNotContain("startup.timeout");
				}));
	}

	@Test
	void watchPropertiesShouldBeApplied() {
		this.kubernetes.resources(V1Node.class).fill(25, (i) -> TestObjects.node("n" + i));
		this.runner.withBean(NodeReader.class)
			.withPropertyValues("kubernetes.informers.watch.page-size=10", "kubernetes.informers.watch.list=paged")
			.run((context) -> {
				await().until(() -> context.getBean(NodeReader.class).nodes.list().size() == 25);
				assertThat(this.kubernetes.requests()).filteredOn((request) -> request.isList())
					.extracting((request) -> request.parameter("limit"))
					.contains("10");
			});
	}

	@Test
	void watchShouldStreamListsWhereTheyAreAskedFor() {
		this.runner.withBean(NodeReader.class)
			.withPropertyValues("kubernetes.informers.watch.list=auto")
			.run((context) -> {
				await().until(() -> !this.kubernetes.requests().isEmpty());
				assertThat(this.kubernetes.requests().get(0).parameter("sendInitialEvents")).isEqualTo("true");
			});
	}

	@Test
	void watchWhenListsArePagedShouldListFirst() {
		this.runner.withBean(NodeReader.class)
			.withPropertyValues("kubernetes.informers.watch.list=paged")
			.run((context) -> {
				await().until(() -> this.kubernetes.openWatches() == 1);
				assertThat(this.kubernetes.requests().get(0).isList()).isTrue();
				assertThat(this.kubernetes.requests())
					.allSatisfy((request) -> assertThat(request.parameter("sendInitialEvents")).isNull());
			});
	}

	@Test
	void syncDeadlineShouldBeApplied() {
		assertThat(builderOf("kubernetes.informers.watch.sync-deadline=7s")).extracting("timings.syncDeadline")
			.isEqualTo(Duration.ofSeconds(7));
	}

	@Test
	void verifyEveryShouldBeApplied() {
		assertThat(builderOf("kubernetes.informers.watch.verify-every=1h")).extracting("timings.verifyEvery")
			.isEqualTo(Duration.ofHours(1));
	}

	@Test
	void concurrentListsShouldBeApplied() {
		assertThat(builderOf("kubernetes.informers.concurrent-lists=3")).extracting("concurrentSyncs").isEqualTo(3);
		assertThat(builderOf("kubernetes.informers.concurrent-lists=")).extracting("concurrentSyncs").isEqualTo(8);
	}

	private Informers.Builder builderOf(String property) {
		AtomicReference<Informers.Builder> builder = new AtomicReference<>();
		this.runner.withPropertyValues(property)
			.withBean(InformerCustomizer.class, () -> builder::set)
			.run((context) -> assertThat(context).hasNotFailed());
		return Objects.requireNonNull(builder.get());
	}

	@ParameterizedTest
	@CsvSource({ "kubernetes.informers.watch.page-size,-1", "kubernetes.informers.watch.verify-every,-1s",
			"kubernetes.informers.watch.idle-timeout,0s", "kubernetes.informers.watch.sync-deadline,-1s",
			"kubernetes.informers.shutdown.drain-timeout,-1s", "kubernetes.informers.startup.timeout,-1s",
			"kubernetes.informers.startup.timeout,9223372036854775807s", "kubernetes.informers.concurrency,0",
			"kubernetes.informers.queue-capacity,0", "kubernetes.informers.resync,-1s",
			"kubernetes.informers.concurrent-lists,0", "kubernetes.informers.resync,1ns",
			"kubernetes.informers.resources.pods.resync,-1s",
			"kubernetes.informers.resources[widgets.example.com].resync,-1s",
			"kubernetes.informers.handlers.podHandler.resync,-1s",
			"kubernetes.informers.handlers.podHandler.concurrency,0",
			"kubernetes.informers.handlers.podHandler.queue-capacity,0", "kubernetes.client.connect-timeout,-1s",
			"kubernetes.client.connect-timeout,9223372036854775807s", "kubernetes.client.connect-timeout,25d" })
	void contextWhenValueIsOutOfRangeShouldNameTheProperty(String key, String value) {
		this.runner.withBean(PodHandler.class)
			.withPropertyValues(key + "=" + value)
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOfSatisfying(InvalidPropertyValueException.class, (ex) -> {
					assertThat(ex).hasMessageStartingWith("'" + key + "' is '").hasMessageContaining("must be");
					assertThat(ex.getAction()).contains(key);
				}));
	}

	@Test
	void contextWhenValuesAreAtTheirLimitsShouldStart() {
		this.runner.withBean(PodHandler.class)
			.withPropertyValues("kubernetes.informers.watch.page-size=0", "kubernetes.informers.watch.idle-timeout=1ms",
					"kubernetes.informers.shutdown.drain-timeout=0s", "kubernetes.informers.resync=0s",
					"kubernetes.informers.concurrency=1", "kubernetes.informers.queue-capacity=1",
					"kubernetes.informers.concurrent-lists=1", "kubernetes.client.connect-timeout=24d",
					"kubernetes.informers.auto-startup=false")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void contextWhenValuesAreBlankShouldUseTheDefaults() {
		this.runner.withBean(PodHandler.class)
			.withPropertyValues("kubernetes.informers.enabled=", "kubernetes.informers.auto-startup=",
					"kubernetes.informers.concurrency=", "kubernetes.informers.queue-capacity=",
					"kubernetes.informers.resync=", "kubernetes.informers.startup.wait-for-sync=",
					"kubernetes.informers.startup.timeout=", "kubernetes.informers.startup.late-timeout=",
					"kubernetes.informers.shutdown.drain-timeout=", "kubernetes.informers.watch.list=",
					"kubernetes.informers.watch.page-size=", "kubernetes.informers.watch.idle-timeout=",
					"kubernetes.informers.watch.sync-deadline=", "kubernetes.informers.watch.verify-every=",
					"kubernetes.informers.handlers.podHandler.concurrency=",
					"kubernetes.informers.handlers.podHandler.auto-startup=", "kubernetes.client.connect-timeout=",
					"kubernetes.client.token=", "kubernetes.client.user-agent=", "kubernetes.client.protobuf=")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(InformersProperties.class)).usingRecursiveComparison()
					.ignoringFields("handlers")
					.isEqualTo(new Binder().bindOrCreate("kubernetes.informers", InformersProperties.class));
				await().until(() -> context.getBean(InformerHandlerRegistry.class).get("podHandler").hasSynced());
			});
	}

	@Test
	void contextWhenDisabledShouldNotNeedTheCurrentNamespace() {
		InformerContextRunner.withoutCluster()
			.withBean(CurrentReader.class)
			.withPropertyValues("kubernetes.informers.enabled=false")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(CurrentReader.class).pods.lister().list()).isEmpty();
			});
	}

	@Test
	void currentNamespaceWhenClientIsExcludedShouldSayWhatItNeeds() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(InformerAutoConfiguration.class))
			.withBean(ApiClient.class, () -> new ApiClient().setBasePath(this.kubernetes.url()))
			.withBean(CurrentReader.class)
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessage("the namespace '@current' needs a kubeconfig or the service account of a pod"));
	}

	@Test
	void informerWhenDisabledShouldNotRun() {
		this.runner.withBean(CurrentReader.class)
			.withPropertyValues("kubernetes.informers.enabled=false")
			.run((context) -> {
				Informer<V1Pod> pods = context.getBean(CurrentReader.class).pods;
				pods.run();
				assertThat(pods.status().state()).isEqualTo(InformerState.NEW);
				assertThatIllegalStateException().isThrownBy(context.getBean(Informers.class)::start)
					.withMessageContaining("kubernetes.informers.enabled=false");
				assertThat(this.kubernetes.requests()).isEmpty();
			});
	}

	@Test
	void informerWhenAutoStartupIsOffShouldRun() {
		this.runner.withBean(InformerReader.class)
			.withPropertyValues("kubernetes.informers.auto-startup=false")
			.run((context) -> {
				Informer<V1Pod> pods = context.getBean(InformerReader.class).pods;
				pods.run();
				await().until(pods::hasSynced);
			});
	}

	@Test
	void startWhenCredentialsAreRefusedShouldNotAdviseToWait() {
		this.kubernetes.faults().on(Requests.of("nodes")).status(401);
		this.runner.withBean(NodeReader.class)
			.withPropertyValues("kubernetes.informers.startup.wait-for-sync=true",
					"kubernetes.informers.startup.timeout=4s")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOfSatisfying(InformerSyncTimeoutException.class, (ex) -> {
					assertThat(ex).hasMessageContaining("HTTP 401");
					assertThat(ex.getAction()).contains("credentials", "HTTP 401", "kubernetes.client.token")
						.doesNotContain("startup.timeout");
				}));
	}

	@Test
	void startWhenServerFailsShouldAdviseToWait() {
		this.kubernetes.faults().on(Requests.of("nodes")).status(503);
		this.runner.withBean(NodeReader.class)
			.withPropertyValues("kubernetes.informers.startup.wait-for-sync=true",
					"kubernetes.informers.startup.timeout=4s")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOfSatisfying(InformerSyncTimeoutException.class, (ex) -> {
					assertThat(ex).hasMessageContaining("HTTP 503");
					assertThat(ex.getAction()).contains("kubernetes.informers.startup.timeout");
				}));
	}

	@Test
	void startWhenTheCertificateIsNotTrustedShouldNameTheSslBundle(CapturedOutput output) {
		try (EmbeddedKubernetes cluster = EmbeddedKubernetes.builder().tls().start()) {
			InformerContextRunner.with(cluster)
				.withBean(NodeReader.class)
				.withBean(PodHandler.class)
				.withPropertyValues("kubernetes.informers.startup.wait-for-sync=true",
						"kubernetes.informers.startup.timeout=4s")
				.run((context) -> assertThat(context.getStartupFailure()).rootCause()
					.isInstanceOfSatisfying(InformerSyncTimeoutException.class, (ex) -> {
						assertThat(ex).hasMessageContaining("is not signed by an authority that the client trusts");
						assertThat(ex.getAction())
							.contains("kubernetes.client.ssl.bundle", "If an authority is configured")
							.doesNotContain("startup.timeout");
					}));
		}
		// Once for all informers.
		assertThat(output.toString().lines()).filteredOn((line) -> line.contains("kubernetes.client.ssl.bundle"))
			.hasSize(1)
			.allMatch((line) -> line.contains("WARN"));
	}

	@Test
	void startWhenTheResourceIsNotFoundShouldNotAdviseToWait() {
		this.kubernetes.faults().on(Requests.of("nodes")).status(404);
		this.runner.withBean(NodeReader.class)
			.withPropertyValues("kubernetes.informers.startup.wait-for-sync=true",
					"kubernetes.informers.startup.timeout=4s")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOfSatisfying(InformerSyncTimeoutException.class, (ex) -> {
					assertThat(ex).hasMessageContaining("serves 'nodes' of 'v1'");
					assertThat(ex.getAction()).contains("CustomResourceDefinition", "HTTP 404")
						.doesNotContain("startup.timeout");
				}));
	}

	@Test
	void listersAndHandlersShouldWorkAgainWhenTheContextIsStoppedAndStarted() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.kubernetes.resources(V1Node.class).create(TestObjects.node("n1"));
		this.runner.withBean(PodHandler.class).withBean(NodeReader.class).run((context) -> {
			InformerHandlerRegistry registry = context.getBean(InformerHandlerRegistry.class);
			Lister<V1Node> nodes = context.getBean(NodeReader.class).nodes;
			await().until(() -> registry.get("podHandler").hasSynced() && nodes.list().size() == 1);
			context.getSourceApplicationContext().stop();
			assertThat(registry.get("podHandler").isRunning()).isFalse();
			await().until(() -> this.kubernetes.openWatches() == 0);
			this.kubernetes.resources(V1Node.class).create(TestObjects.node("n2"));
			context.getSourceApplicationContext().start();
			await().until(() -> registry.get("podHandler").hasSynced() && nodes.list().size() == 2);
			assertThat(registry.get("podHandler").awaitSync(Duration.ZERO)).isTrue();
		});
	}

	@Test
	void tenContextsShouldLeaveNoThreadAndNoWatch() {
		for (int i = 0; i < 10; i++) {
			this.runner.withBean(PodHandler.class).withBean(NodeReader.class).run((context) -> {
				await().until(() -> context.getBean(InformerHandlerRegistry.class).get("podHandler").hasSynced());
				await().until(() -> this.kubernetes.openWatches() == 2);
			});
		}
		await().until(() -> this.kubernetes.openWatches() == 0);
		await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
			.noneMatch((name) -> name.startsWith("informer") || name.startsWith("OkHttp http")));
	}

	@InformerHandler(id = "podHandler")
	static class PodHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	static class CurrentReader {

		private final Informer<V1Pod> pods;

		CurrentReader(@InformerSource(namespaces = "@current") Informer<V1Pod> pods) {
			this.pods = pods;
		}

	}

	static class InformerReader {

		private final Informer<V1Pod> pods;

		InformerReader(Informer<V1Pod> pods) {
			this.pods = pods;
		}

	}

	static class NodeReader {

		private final Lister<V1Node> nodes;

		NodeReader(Lister<V1Node> nodes) {
			this.nodes = nodes;
		}

	}

	/**
	 * Our auto-configurations as an application gets them: those of which a class is
	 * missing are left out before they are loaded.
	 */
	@Configuration(proxyBeanMethods = false)
	@Import(OurAutoConfigurations.class)
	static class EverythingConfiguration {

	}

	static class OurAutoConfigurations extends AutoConfigurationImportSelector {

		@Override
		protected AnnotationAttributes getAttributes(AnnotationMetadata metadata) {
			return new AnnotationAttributes();
		}

		@Override
		protected List<String> getCandidateConfigurations(AnnotationMetadata metadata,
				AnnotationAttributes attributes) {
			List<String> candidates = new ArrayList<>(super.getCandidateConfigurations(metadata, attributes));
			candidates.removeIf((candidate) -> !candidate.startsWith("dev.kubeinformer."));
			return candidates;
		}

		@Override
		protected Set<String> getExclusions(AnnotationMetadata metadata, AnnotationAttributes attributes) {
			return new HashSet<>();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(SecondInformers.class)
	static class SecondCluster {

		private final Informers informers;

		SecondCluster(@Qualifier("secondInformers") Informers informers) {
			this.informers = informers;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SecondInformers {

		@Bean(defaultCandidate = false, initMethod = "start", destroyMethod = "stop")
		Informers secondInformers(@Value("${other}") String url) {
			return Informers.builder(() -> new ApiClient().setBasePath(url)).build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnInformers {

		@Bean
		Informers own(Informers.Builder builder) {
			return builder.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class UserBeans {

		@Bean
		Informers userInformers(Informers.Builder builder) {
			return builder.build();
		}

		@Bean
		ConfiguredSettings userSettings() {
			ConfiguredSettings settings = mock(ConfiguredSettings.class);
			given(settings.concurrentLists()).willReturn(1);
			return settings;
		}

		@Bean
		InformerSpecs userSpecs(ConfiguredSettings settings) {
			return new InformerSpecs(settings, () -> "default");
		}

		@Bean
		InformerHandlerRegistry userRegistry() {
			return mock(InformerHandlerRegistry.class);
		}

	}

}
