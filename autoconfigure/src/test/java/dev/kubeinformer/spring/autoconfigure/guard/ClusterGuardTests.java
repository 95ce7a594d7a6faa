package dev.kubeinformer.spring.autoconfigure.guard;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.credentials.AccessTokenAuthentication;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.SpringProperties;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesConnectionDetails;
import dev.kubeinformer.spring.autoconfigure.client.NoClusterConfiguredException;
import dev.kubeinformer.test.ApiUser;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Fault;
import dev.kubeinformer.test.RecordedRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests that informers of a test connect only where the test said. A server that is no
 * bean and does not show its version stands for the real cluster.
 */
@ExtendWith(OutputCaptureExtension.class)
class ClusterGuardTests {

	private final EmbeddedKubernetes cluster = EmbeddedKubernetes.start();

	private Fault version;

	@TempDir
	private Path directory;

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class))
		.withPropertyValues(InformerContextRunner.NO_CLUSTER)
		.withPropertyValues("cluster.url=" + this.cluster.url())
		.withUserConfiguration(PodsConfiguration.class)
		.withInitializer(ClusterGuardTests::guard);

	private static void guard(ConfigurableApplicationContext context) {
		new ClusterGuardContextCustomizerFactory().createContextCustomizer(ClusterGuardTests.class, List.of())
			.customizeContext(context, new MergedContextConfiguration(ClusterGuardTests.class, null, null, null, null));
	}

	@BeforeEach
	void hideVersion() {
		this.version = this.cluster.faults().on((request) -> "/version".equals(request.path())).status(403);
	}

	@AfterEach
	void close() {
		this.cluster.close();
	}

	@Test
	void clusterOfAKubeconfigShouldBeRefused() throws Exception {
		assertRefused(this.runner.withPropertyValues("kubernetes.client.kubeconfig=" + kubeconfig()));
	}

	@Test
	void clusterOfTheHomeDirectoryShouldBeRefused() throws Exception {
		Files.createDirectories(this.directory.resolve(".kube"));
		Files.move(kubeconfig(), this.directory.resolve(".kube/config"));
		assertRefused(this.runner.withPropertyValues("HOME=" + this.directory));
	}

	@Test
	void clientOfTheApplicationShouldBeRefused() {
		assertRefused(this.runner.withUserConfiguration(OwnClientConfiguration.class));
	}

	@Test
	void clientOfTheApplicationShouldBeRefusedThoughAUrlOfAnotherServerIsSet() {
		assertRefused(this.runner.withUserConfiguration(OwnClientConfiguration.class)
			.withPropertyValues("kubernetes.client.url=http://localhost:1"));
	}

	@Test
	void informersOfTheApplicationShouldBeRefused() {
		assertRefused(this.runner.withUserConfiguration(OwnInformersConfiguration.class));
	}

	@Test
	void informersOfTheApplicationShouldBeRefusedThoughTheyStartLater() {
		this.runner.withUserConfiguration(OwnInformersConfiguration.class)
			.withPropertyValues("kubernetes.informers.auto-startup=false")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				Informer<?> pods = context.getBean(Informers.class).informer(V1Pod.class);
				assertThatExceptionOfType(ClusterNotAllowedException.class).isThrownBy(pods::run);
			});
		assertNothingAsked();
	}

	@Test
	void informersThatAreStartedWhereTheyAreMadeShouldBeRefusedAndStopped() {
		Informers started = Informers.builder(new ClientBuilder().setBasePath(this.cluster.url()).build()).build();
		started.informer(V1Pod.class);
		started.start();
		this.runner.withBean(Informers.class, () -> started)
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOf(ClusterNotAllowedException.class));
		assertThat(started.isRunning()).isFalse();
	}

	@Test
	void refusalShouldNameAddressAndMendsAndNoSecret() {
		this.runner.withUserConfiguration(OwnClientConfiguration.class)
			.withPropertyValues("cluster.url=https://admin:s3cret@prod.example.com:6443/?token=s3cret")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageStartingWith(
						"The informers of this test would connect to 'https://prod.example.com:6443', which may be")
				.asString()
				.contains("@EmbeddedKubernetesTest", "@ServiceConnection", "'kubernetes.client.url'",
						"'kubernetes.client.allow-in-tests=true'", "'kubernetes.informers.enabled=false'")
				.doesNotContain("s3cret", "admin"));
	}

	@Test
	void testWithoutAnyClusterShouldBeAdvisedToUseTheEmbeddedApi() {
		this.runner.run((context) -> assertThat(context.getStartupFailure()).rootCause()
			.isInstanceOf(NoClusterConfiguredException.class)
			.hasMessageStartingWith("No Kubernetes cluster is configured. Looked for: ")
			.asString()
			.contains("@EmbeddedKubernetesTest", "'kubernetes.client.allow-in-tests=true'",
					"'kubernetes.informers.enabled=false'"));
	}

	@Test
	void applicationWithoutAnyClusterShouldGetNoAdviceOnTests() {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class))
			.withPropertyValues(InformerContextRunner.NO_CLUSTER)
			.withUserConfiguration(PodsConfiguration.class)
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOfSatisfying(NoClusterConfiguredException.class,
						(failure) -> assertThat(failure.getAction()).contains("'kubernetes.client.url'")
							.doesNotContain("Test")));
	}

	@Test
	void refusalShouldBeAnalyzed(CapturedOutput output) {
		SpringApplication application = new SpringApplication(OwnClientConfiguration.class, PodsConfiguration.class,
				AutoConfiguredInformers.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		application.addInitializers(ClusterGuardTests::guard);
		assertThatException().isThrownBy(() -> application.run("--cluster.url=" + this.cluster.url()));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("Action:" + System.lineSeparator() + System.lineSeparator()
					+ "Annotate the test with @EmbeddedKubernetesTest");
	}

	@Test
	void explicitUrlShouldBeAllowed() {
		assertAllowed(this.runner.withPropertyValues("kubernetes.client.url=" + this.cluster.url() + "/"));
	}

	@Test
	void clientOfTheApplicationShouldBeAllowedAtTheExplicitUrl() {
		assertAllowed(this.runner.withUserConfiguration(OwnClientConfiguration.class)
			.withPropertyValues("kubernetes.client.url=" + this.cluster.url()));
	}

	@Test
	void connectionDetailsShouldBeAllowed() {
		assertAllowed(this.runner.withBean(KubernetesConnectionDetails.class, () -> this.cluster::url));
	}

	@Test
	void embeddedApiThatIsABeanShouldBeAllowed() {
		assertAllowed(this.runner.withUserConfiguration(OwnClientConfiguration.class)
			.withBean(EmbeddedKubernetes.class, () -> this.cluster));
	}

	@Test
	void embeddedApiThatIsNoBeanShouldBeAllowed() {
		this.version.remove();
		assertAllowed(this.runner.withUserConfiguration(OwnClientConfiguration.class));
	}

	@Test
	void embeddedApiWithUsersShouldBeAllowedAndItsVersionAskedForWithoutToken() {
		try (EmbeddedKubernetes api = EmbeddedKubernetes.builder()
			.tls()
			.user("admin", "token", ApiUser::allowAll)
			.start()) {
			ApiClient client = new ClientBuilder().setBasePath(api.url())
				.setCertificateAuthority(api.caCertificate().getBytes(StandardCharsets.UTF_8))
				.setAuthentication(new AccessTokenAuthentication("token"))
				.build();
			this.runner.withBean(ApiClient.class, () -> client).run((context) -> {
				assertThat(context).hasNotFailed();
				await().until(() -> api.openWatches() == 1);
			});
			assertThat(api.requests()).filteredOn((request) -> "/version".equals(request.path()))
				.singleElement()
				.extracting((request) -> request.header("Authorization"))
				.isNull();
		}
	}

	@Test
	void embeddedApiShouldBeKnownOnThisMachineOnly() {
		this.version.remove();
		ApiClient client = new ClientBuilder().setBasePath("http://real.example.com:" + this.cluster.port()).build();
		client.setHttpClient(
				client.getHttpClient().newBuilder().dns((name) -> List.of(InetAddress.getLoopbackAddress())).build());
		this.runner.withBean(ApiClient.class, () -> client)
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOf(ClusterNotAllowedException.class));
		assertThat(this.cluster.requests()).isEmpty();
	}

	@Test
	void guardShouldBeLeftOutOfTestsWithGeneratedContexts() {
		SpringProperties.setFlag("spring.aot.enabled");
		try {
			assertThat(new ClusterGuardContextCustomizerFactory().createContextCustomizer(GuardedTestCase.class,
					List.of()))
				.isNull();
		}
		finally {
			SpringProperties.setProperty("spring.aot.enabled", null);
		}
	}

	@Test
	void anyClusterShouldBeAllowedByProperty() throws Exception {
		assertAllowed(this.runner.withPropertyValues("kubernetes.client.kubeconfig=" + kubeconfig(),
				"kubernetes.client.allow-in-tests=true"));
	}

	@Test
	void blankPropertyShouldNotAllow() {
		assertRefused(this.runner.withUserConfiguration(OwnClientConfiguration.class)
			.withPropertyValues("kubernetes.client.allow-in-tests=", "kubernetes.client.url="));
	}

	@Test
	void contextShouldStartWhereNothingConnects() {
		this.runner.withUserConfiguration(OwnClientConfiguration.class)
			.withPropertyValues("kubernetes.informers.auto-startup=false")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThatExceptionOfType(ClusterNotAllowedException.class)
					.isThrownBy(() -> context.getBean(Informers.class).start());
			});
		assertNothingAsked();
	}

	@Test
	void contextOfATestShouldBeGuarded() throws Exception {
		assertThatException().isThrownBy(() -> load(GuardedTestCase.class))
			.havingRootCause()
			.isInstanceOf(ClusterNotAllowedException.class);
	}

	@Test
	void guardShouldNotSplitCachedContexts() {
		ClusterGuardContextCustomizerFactory factory = new ClusterGuardContextCustomizerFactory();
		assertThat(factory.createContextCustomizer(GuardedTestCase.class, List.of()))
			.isEqualTo(factory.createContextCustomizer(ClusterGuardTests.class, List.of()));
	}

	private void assertRefused(ApplicationContextRunner refused) {
		refused.run((context) -> assertThat(context.getStartupFailure()).rootCause()
			.isInstanceOf(ClusterNotAllowedException.class)
			.hasMessageContaining("'%s'", this.cluster.url()));
		assertNothingAsked();
	}

	private void assertNothingAsked() {
		assertThat(this.cluster.requests()).extracting(RecordedRequest::path).allMatch("/version"::equals);
		assertThat(this.cluster.requests()).extracting((request) -> request.header("Authorization"))
			.containsOnlyNulls();
	}

	private void assertAllowed(ApplicationContextRunner allowed) {
		allowed.run((context) -> {
			assertThat(context).hasNotFailed();
			await().until(() -> this.cluster.openWatches() == 1);
		});
	}

	private static void load(Class<?> testClass) {
		new TestContextManager(testClass).getTestContext().getApplicationContext();
	}

	private Path kubeconfig() throws IOException {
		return Files.writeString(this.directory.resolve("kubeconfig"), """
				apiVersion: v1
				kind: Config
				clusters:
				- name: one
				  cluster: { server: "%s" }
				contexts:
				- name: one
				  context: { cluster: one }
				current-context: one
				""".formatted(this.cluster.url()));
	}

	@SpringJUnitConfig({ AutoConfiguredInformers.class, PodsConfiguration.class, OwnClientConfiguration.class })
	@TestPropertySource(properties = "cluster.url=http://localhost:1")
	static class GuardedTestCase {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })
	static class AutoConfiguredInformers {

	}

	@Configuration(proxyBeanMethods = false)
	static class PodsConfiguration {

		@Bean
		Object pods(Lister<V1Pod> pods) {
			return new Object();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnInformersConfiguration {

		@Bean
		Informers ownInformers(@Value("${cluster.url}") String url) {
			return Informers.builder(new ClientBuilder().setBasePath(url).build()).build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnClientConfiguration {

		@Bean
		ApiClient ownClient(@Value("${cluster.url}") String url) {
			return new ClientBuilder().setBasePath(url).build();
		}

	}

}
