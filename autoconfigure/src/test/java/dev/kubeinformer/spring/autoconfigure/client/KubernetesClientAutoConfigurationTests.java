package dev.kubeinformer.spring.autoconfigure.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1Service;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.properties.ClusterProperties;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.InvalidPropertyValueException;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.InformerState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Tests of which cluster is found.
 */
@ExtendWith(OutputCaptureExtension.class)
class KubernetesClientAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(KubernetesClientAutoConfiguration.class))
		.withPropertyValues(InformerContextRunner.NO_CLUSTER);

	private static final List<Class<? extends KubernetesObject>> TYPES = List.of(V1Pod.class, V1Node.class,
			V1ConfigMap.class, V1Secret.class, V1Service.class, V1Namespace.class);

	@TempDir
	private Path directory;

	@Test
	void contextWhenNoClusterShouldStart() {
		this.runner.run((context) -> {
			assertThat(context).hasNotFailed();
			assertThatExceptionOfType(BeanCreationException.class).isThrownBy(() -> context.getBean(ApiClient.class))
				.withRootCauseInstanceOf(NoClusterConfiguredException.class);
		});
	}

	@Test
	void urlShouldWinOverKubeconfig() throws Exception {
		this.runner
			.withPropertyValues("kubernetes.client.url=http://by-url:1/", "kubernetes.client.token=abc",
					"kubernetes.client.kubeconfig=" + kubeconfig("config"))
			.run((context) -> {
				ApiClient client = context.getBean(ApiClient.class);
				assertThat(client.getBasePath()).isEqualTo("http://by-url:1");
				assertThat(SentRequest.authorization(client)).isEqualTo("Bearer abc");
			});
	}

	@Test
	void connectionDetailsShouldWinOverEveryProperty() throws Exception {
		this.runner.withBean(KubernetesConnectionDetails.class, () -> new TestConnectionDetails(null))
			.withPropertyValues("kubernetes.client.url=http://by-url:1/", "kubernetes.client.token=abc",
					"kubernetes.client.kubeconfig=" + kubeconfig("config"), "kubernetes.client.user-agent=mine/1")
			.run((context) -> {
				ApiClient client = context.getBean(ApiClient.class);
				assertThat(client.getBasePath()).isEqualTo("http://by-details:1");
				assertThat(SentRequest.authorization(client)).isNull();
				assertThat(client).extracting("defaultHeaderMap").asString().contains("mine/1");
			});
	}

	@Test
	void tokenOfConnectionDetailsShouldBeSent(CapturedOutput output) {
		this.runner.withBean(KubernetesConnectionDetails.class, () -> new TestConnectionDetails("of-details"))
			.run((context) -> assertThat(SentRequest.authorization(context.getBean(ApiClient.class)))
				.isEqualTo("Bearer of-details"));
		assertThat(output).contains("Kubernetes API at http://by-details:1 (connection details)");
	}

	@Test
	void urlOfConnectionDetailsThatIsNoneShouldBeCorrectedThere() {
		this.runner.withBean(KubernetesConnectionDetails.class, () -> () -> "localhost:6443")
			.run((context) -> assertThatExceptionOfType(BeanCreationException.class)
				.isThrownBy(() -> context.getBean(ApiClient.class))
				.havingRootCause()
				.isInstanceOfSatisfying(InformerConfigurationException.class, (ex) -> {
					assertThat(ex).hasMessageContaining("must have a scheme and a host");
					assertThat(ex.getAction())
						.isEqualTo("Correct the KubernetesConnectionDetails bean, or the service that it describes.");
				}));
	}

	@Test
	void clientOfTheApplicationShouldWinOverConnectionDetails() {
		ApiClient own = new ApiClient();
		this.runner.withBean(KubernetesConnectionDetails.class, () -> new TestConnectionDetails(null))
			.withBean(ApiClient.class, () -> own)
			.run((context) -> assertThat(context.getBean(ApiClient.class)).isSameAs(own));
	}

	@Test
	void connectionDetailsShouldTellTheCurrentNamespace() {
		this.runner.withBean(KubernetesConnectionDetails.class, () -> new TestConnectionDetails(null))
			.run((context) -> assertThat(context.getBean(ClusterLocator.class).currentNamespace())
				.isEqualTo("of-details"));
		this.runner.withBean(KubernetesConnectionDetails.class, () -> () -> "http://by-details:1")
			.run((context) -> assertThatIllegalArgumentException()
				.isThrownBy(() -> context.getBean(ClusterLocator.class).currentNamespace()));
	}

	@Test
	void kubeconfigPropertyShouldWinOverVariable() throws Exception {
		this.runner
			.withPropertyValues("kubernetes.client.kubeconfig=" + kubeconfig("property"),
					"KUBECONFIG=" + kubeconfig("variable"))
			.run((context) -> assertThat(context.getBean(ApiClient.class).getBasePath())
				.isEqualTo("http://property-one:1"));
	}

	@Test
	void kubeconfigPropertyShouldBeReadAsAPersonWritesIt() throws Exception {
		Path file = kubeconfig("property");
		for (String location : List.of("~/property", " " + file + " ", file.toUri().toString())) {
			this.runner.withPropertyValues("kubernetes.client.kubeconfig=" + location, "HOME=" + this.directory)
				.run((context) -> assertThat(context.getBean(ApiClient.class).getBasePath())
					.isEqualTo("http://property-one:1"));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "kubernetes.client.kubeconfig=~/x/config", "kubernetes.client.kubeconfig=file:%s/x/config",
			"KUBECONFIG=~/x/config" })
	void commandOfAFailureShouldNameTheFileForAnyShell(String property) throws Exception {
		Path folder = Files.createDirectories(this.directory.resolve("x"));
		Files.writeString(folder.resolve("config"),
				"""
						current-context: one
						contexts: [ { name: one, context: { cluster: one, user: me } } ]
						clusters: [ { name: one, cluster: { server: "https://localhost:1" } } ]
						users:
						- name: me
						  user:
						    exec: { apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: no-such-plugin, installHint: Get it }
						""");
		this.runner.withPropertyValues(property.formatted(this.directory), "HOME=" + this.directory)
			.run((context) -> assertThatExceptionOfType(BeanCreationException.class)
				.isThrownBy(() -> context.getBean(ApiClient.class))
				.havingRootCause()
				.isInstanceOfSatisfying(InformerConfigurationException.class,
						(ex) -> assertThat(ex.getAction())
							.contains("Get it. 'kubernetes.client.kubeconfig' may name another one")
							.contains("'kubectl config view --kubeconfig=%s/config'".formatted(folder))));
	}

	@Test
	void contextPropertyShouldSelectTheContext() throws Exception {
		this.runner
			.withPropertyValues("kubernetes.client.kubeconfig=" + kubeconfig("property"),
					"kubernetes.client.context=two")
			.run((context) -> assertThat(context.getBean(ApiClient.class).getBasePath())
				.isEqualTo("http://property-two:1"));
	}

	@Test
	void variableShouldWinOverHomeDirectory() throws Exception {
		home();
		this.runner.withPropertyValues("KUBECONFIG=/nonexistent/x:" + kubeconfig("variable"), "HOME=" + this.directory)
			.run((context) -> assertThat(context.getBean(ApiClient.class).getBasePath())
				.isEqualTo("http://variable-one:1"));
	}

	@Test
	void homeDirectoryShouldBeUsedLast() throws Exception {
		home();
		this.runner.withPropertyValues("HOME=" + this.directory)
			.run((context) -> assertThat(context.getBean(ApiClient.class).getBasePath())
				.isEqualTo("http://home-one:1"));
	}

	@Test
	void variableThatNamesNoFileShouldNotMeanTheHomeDirectory() throws Exception {
		home();
		this.runner.withPropertyValues("KUBECONFIG=/nonexistent/x", "HOME=" + this.directory)
			.run((context) -> assertThatExceptionOfType(BeanCreationException.class)
				.isThrownBy(() -> context.getBean(ApiClient.class))
				.havingRootCause()
				.isInstanceOf(InformerConfigurationException.class)
				.withMessageContaining("/nonexistent/x"));
	}

	@Test
	void userAgentAndTimeoutShouldBeApplied() {
		this.runner
			.withPropertyValues("kubernetes.client.url=http://localhost:1", "kubernetes.client.user-agent=mine/1",
					"kubernetes.client.connect-timeout=3s")
			.run((context) -> {
				ApiClient client = context.getBean(ApiClient.class);
				assertThat(client.getConnectTimeout()).isEqualTo(3000);
				assertThat(client).extracting("defaultHeaderMap").asString().contains("mine/1");
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "localhost:6443", "10.0.0.1", "ftp://localhost", "https://", "https:// host",
			"http://a b/", "http://localhost:99999", "${API_URL}" })
	void urlWhenInvalidShouldNameTheProperty(String url) {
		this.runner.withPropertyValues("kubernetes.client.url=" + url)
			.run((context) -> assertThatExceptionOfType(BeanCreationException.class)
				.isThrownBy(() -> context.getBean(ApiClient.class))
				.havingRootCause()
				.isInstanceOf(InvalidPropertyValueException.class)
				.withMessageStartingWith("'kubernetes.client.url' is '")
				.withMessageContaining("such as 'https://"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "ftp://me:s3cret@localhost/?token=s3cret", "ftp://s3cret:s3/c?r#et@localhost" })
	void urlWhenInvalidShouldNotShowCredentials(String url) {
		this.runner.withPropertyValues("kubernetes.client.url=" + url)
			.run((context) -> assertThatExceptionOfType(BeanCreationException.class)
				.isThrownBy(() -> context.getBean(ApiClient.class))
				.havingRootCause()
				.withMessageContaining("'ftp://localhost'")
				.withMessageNotContaining("s3"));
	}

	@Test
	void textsShouldBeStripped() {
		this.runner
			.withInitializer(
					(context) -> context.getEnvironment()
						.getPropertySources()
						.addFirst(new MapPropertySource("files",
								Map.of("kubernetes.client.url", " http://localhost:1\n", "kubernetes.client.token",
										"\tabc\r\n", "kubernetes.client.user-agent", " mine/1 (x) \n"))))
			.run((context) -> {
				ApiClient client = context.getBean(ApiClient.class);
				assertThat(client.getBasePath()).isEqualTo("http://localhost:1");
				assertThat(SentRequest.authorization(client)).isEqualTo("Bearer abc");
				assertThat(client).extracting("defaultHeaderMap").asString().contains("mine/1 (x)}");
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "s3c\nret", "s3c\u0007ret", "s3c\u00e9ret", "s3c ret", "s3c\u2026ret" })
	void tokenWhenInvalidShouldNameThePropertyAndNotShowIt(String token) {
		this.runner
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new MapPropertySource("files",
						Map.of("kubernetes.client.url", "http://localhost:1", "kubernetes.client.token", token))))
			.run((context) -> assertThatExceptionOfType(BeanCreationException.class)
				.isThrownBy(() -> context.getBean(ApiClient.class))
				.havingRootCause()
				.isInstanceOf(InvalidPropertyValueException.class)
				.withMessageStartingWith("'kubernetes.client.token' has a character at position 4")
				.withMessageNotContaining("s3c"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "mine\n1", "m\u00efne" })
	void userAgentWhenInvalidShouldNameTheProperty(String userAgent) {
		this.runner
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new MapPropertySource("files",
						Map.of("kubernetes.client.url", "http://localhost:1", "kubernetes.client.user-agent",
								userAgent))))
			.run((context) -> assertThatExceptionOfType(BeanCreationException.class)
				.isThrownBy(() -> context.getBean(ApiClient.class))
				.havingRootCause()
				.isInstanceOf(InvalidPropertyValueException.class)
				.withMessageStartingWith("'kubernetes.client.user-agent'"));
	}

	@Test
	void clientShouldSayWhereItConnects(CapturedOutput output) throws Exception {
		this.runner
			.withPropertyValues("kubernetes.client.url=https://me:s3cret@localhost:1/base/",
					"kubernetes.client.token=s3cret")
			.run((context) -> context.getBean(ApiClient.class));
		Path file = kubeconfig("config");
		this.runner.withPropertyValues("kubernetes.client.kubeconfig=" + file, "kubernetes.client.context=two")
			.run((context) -> context.getBean(ApiClient.class));
		assertThat(output)
			.containsOnlyOnce("Kubernetes API at https://localhost:1/base (property 'kubernetes.client.url')")
			.containsOnlyOnce("Kubernetes API at http://config-two:1 (kubeconfig '%s', context 'two')".formatted(file))
			.doesNotContain("s3cret");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					client-certificate: missing.crt, client-key: missing.key | client-certificate | missing.crt', which does not exist
					client-certificate-data: czNjcmV0, client-key-data: czNjcmV0 | client-certificate-data | holds no PEM
					token: [ s3cret ] | token | must be a text
					auth-provider: s3cret | auth-provider | must be a map
					tokenFile: missing | tokenFile | missing', which does not exist
					""")
	void kubeconfigWhenUserCannotBeUsedShouldNameFileAndField(String user, String field, String problem)
			throws Exception {
		Path file = kubeconfig("config", "https://localhost:1", user);
		assertUnusable(file, "field '%s'".formatted(field));
		assertUnusable(file, problem);
	}

	@Test
	void kubeconfigWhenCertificateOfTheServerIsInvalidShouldNameFileAndField() throws Exception {
		assertUnusable(
				kubeconfig("config", "https://localhost:1\", certificate-authority-data: \"czNjcmV0", "token: s3cret"),
				"cluster 'one', field 'certificate-authority-data', holds no PEM");
	}

	@Test
	void kubeconfigWhenServerIsNoUrlShouldSaySo() throws Exception {
		assertUnusable(kubeconfig("config", "https:// localhost", "token: s3cret"),
				"cluster 'one', field 'server', is not a URL");
	}

	@Test
	void kubeconfigWhenPluginGivesNoCredentialShouldNameIt() throws Exception {
		assertUnusable(kubeconfig("config", "https://localhost:1", """
				exec: { apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: "false" }"""),
				"names the credential plugin 'false', which failed with exit code 1");
	}

	@Test
	void kubeconfigWhenPluginPrintsAnythingShouldNotQuoteIt() throws Exception {
		assertUnusable(kubeconfig("config", "https://localhost:1",
				"""
						exec: { apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: echo, args: [ '"s3cret"' ] }"""),
				"names the credential plugin 'echo', which did not print a JSON object");
	}

	@Test
	void tokenOfPluginThatTheServerTurnsAwayShouldBeFetchedAnew() throws Exception {
		Path credential = credential("first");
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().tls().start()) {
			Path file = kubeconfig("config", trusted(kubernetes),
					"""
							exec: { apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: cat, args: [ %s ] }"""
						.formatted(credential));
			assertTokenIsRenewed(kubernetes, file, () -> credential("second"));
		}
	}

	@Test
	void pluginShouldRunOnceForAllInformersAndOnceAfterItsTokenIsTurnedAway() throws Exception {
		Path runs = this.directory.resolve("runs");
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().tls().start()) {
			Path file = kubeconfig("config", trusted(kubernetes),
					"""
							exec: { apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: sh, args: [ -c, "echo x >> %s; cat %s" ] }"""
						.formatted(runs, credential("first")));
			this.runner.withConfiguration(AutoConfigurations.of(InformerAutoConfiguration.class))
				.withPropertyValues("kubernetes.client.kubeconfig=" + file)
				.run((context) -> {
					Informers informers = context.getBean(Informers.class);
					TYPES.forEach(informers::informer);
					await().until(() -> allLive(informers));
					assertThat(runs).hasContent("x");
					credential("second");
					kubernetes.clearRequests();
					kubernetes.faults().on(Requests.any()).times(TYPES.size()).status(401);
					kubernetes.dropConnections();
					await().until(() -> kubernetes.requests()
						.stream()
						.filter((request) -> request.isWatch() && request.status() == 200
								&& "Bearer second".equals(request.header("Authorization")))
						.count() == TYPES.size());
					assertThat(runs).hasContent("x\nx");
				});
		}
	}

	private static boolean allLive(Informers informers) {
		return informers.all().stream().allMatch((informer) -> informer.state() == InformerState.LIVE);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "http://10.0.0.1:80 | token: abc |", "http://10.0.0.1:80 | username: me, password: abc |",
					"http://10.0.0.1:80 | as: me |", "http://127.0.0.1:80 | token: abc |",
					"'http://[::1]:80' | token: abc |", "http://localhost:80 | token: abc |",
					"https://10.0.0.1:443 | token: abc |",
					"https://10.0.0.1:443\", insecure-skip-tls-verify: true, x: \" | token: abc | is not verified" })
	void connectionThatOthersMayReadShouldBeReported(String server, String user, @Nullable String warning,
			CapturedOutput output) throws Exception {
		this.runner.withPropertyValues("kubernetes.client.kubeconfig=" + kubeconfig("config", server, user))
			.run((context) -> context.getBean(ApiClient.class));
		assertThat(output.toString().lines().filter((line) -> line.contains(" WARN ")))
			.hasSize((warning != null) ? 1 : 0)
			.allMatch((line) -> line.contains(warning))
			.noneMatch((line) -> line.contains("abc"));
	}

	@Test
	void namedClusterShouldBeNamedWithItsOwnProperties(CapturedOutput output) throws Exception {
		Path file = kubeconfig("config", "https://10.0.0.1:443\", insecure-skip-tls-verify: true, x: \"", "token: abc");
		this.runner.run((context) -> namedClient(context, file, null).get());
		assertThat(output)
			.containsOnlyOnce(
					"Kubernetes API of cluster 'west' at https://10.0.0.1:443 (kubeconfig '%s'".formatted(file))
			.containsOnlyOnce("The certificate of the Kubernetes API of cluster 'west' at https://10.0.0.1:443 is not")
			.contains("or 'kubernetes.clusters.west.ssl.bundle'")
			.doesNotContain("kubernetes.client.ssl.bundle");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-", textBlock = """
			http://10.0.0.1:80   | without encryption
			http://127.0.0.1:80  | -
			http://[::1]:80      | -
			http://localhost:80  | -
			https://10.0.0.1:443 | -
			""")
	void tokenOfAPropertyThatOthersMayReadShouldBeReported(String url, @Nullable String warning,
			CapturedOutput output) {
		this.runner.withPropertyValues("kubernetes.client.url=" + url, "kubernetes.client.token=abc")
			.run((context) -> context.getBean(ApiClient.class));
		assertThat(output.toString().lines().filter((line) -> line.contains(" WARN ")))
			.hasSize((warning != null) ? 1 : 0)
			.allMatch((line) -> line.contains(warning))
			.noneMatch((line) -> line.contains("abc"));
	}

	@Test
	void credentialsOfANamedClusterThatOthersMayReadShouldBeReportedWithItsName(CapturedOutput output)
			throws Exception {
		Path file = kubeconfig("config", "http://10.0.0.1:80", "token: ignored");
		this.runner.run((context) -> namedClient(context, file, "abc").get());
		assertThat(output).containsOnlyOnce(
				"The credentials for the Kubernetes API of cluster 'west' are sent to http://10.0.0.1:80 without");
	}

	@Test
	void propertiesShouldNotShowTheirValues() {
		Binder binder = new Binder(new MapConfigurationPropertySource(
				Map.of("kubernetes.client.token", "secret-1", "kubernetes.client.proxy", "http://u:secret-2@proxy")));
		assertThat(binder.bind("kubernetes.client", KubernetesClientProperties.class).get().toString())
			.doesNotContain("secret");
		assertThat(binder.bind("kubernetes.client", ClusterProperties.class).get().toString()).doesNotContain("secret");
	}

	private static NamedClusterClient namedClient(ApplicationContext context, Path kubeconfig, @Nullable String token) {
		Map<String, String> values = new HashMap<>(Map.of("kubernetes.client.kubeconfig", kubeconfig.toString()));
		if (token != null) {
			values.put("kubernetes.client.token", token);
		}
		KubernetesClientProperties properties = new Binder(new MapConfigurationPropertySource(values))
			.bindOrCreate(KubernetesClientProperties.PREFIX, KubernetesClientProperties.class);
		return new NamedClusterClient("west", "kubernetes.clusters.west", properties, context,
				context.getEnvironment());
	}

	@Test
	void tokenFileThatHasChangedShouldBeReadAnew() throws Exception {
		Path token = Files.writeString(this.directory.resolve("token"), "first");
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().tls().start()) {
			assertTokenIsRenewed(kubernetes, kubeconfig("config", trusted(kubernetes), "tokenFile: " + token),
					() -> Files.writeString(token, "second"));
		}
	}

	// A kubeconfig's credentials are sent by HTTPS only, as with kubectl.
	private static String trusted(EmbeddedKubernetes kubernetes) {
		return kubernetes.url() + "\", certificate-authority-data: \""
				+ Base64.getEncoder().encodeToString(kubernetes.caCertificate().getBytes(StandardCharsets.US_ASCII));
	}

	private Path credential(String token) throws IOException {
		return Files.writeString(this.directory.resolve("credential"), """
				{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"%s"}}"""
			.formatted(token));
	}

	private void assertTokenIsRenewed(EmbeddedKubernetes kubernetes, Path kubeconfig, Callable<?> rotation) {
		this.runner.withConfiguration(AutoConfigurations.of(InformerAutoConfiguration.class))
			.withPropertyValues("kubernetes.client.kubeconfig=" + kubeconfig)
			.run((context) -> {
				Informer<V1Pod> pods = context.getBean(Informers.class).informer(V1Pod.class);
				await().until(() -> pods.state() == InformerState.LIVE);
				assertThat(kubernetes.requests())
					.allMatch((request) -> "Bearer first".equals(request.header("Authorization")));
				rotation.call();
				kubernetes.clearRequests();
				kubernetes.faults().on(Requests.any()).times(1).status(401);
				kubernetes.dropConnections();
				await().until(() -> kubernetes.requests()
					.stream()
					.anyMatch((request) -> request.status() == 200
							&& "Bearer second".equals(request.header("Authorization"))));
			});
	}

	@Test
	void tokenShouldWinOverThePlugin() throws Exception {
		Path file = kubeconfig("config", "https://localhost:1", """
				exec: { apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: "false" }""");
		this.runner.withPropertyValues("kubernetes.client.kubeconfig=" + file, "kubernetes.client.token=abc")
			.run((context) -> assertThat(SentRequest.authorization(context.getBean(ApiClient.class)))
				.isEqualTo("Bearer abc"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "s3cret", "contexts: s3cret", "current-context: [ s3cret ]",
			"current-context: one\ncontexts: [ s3cret ]",
			"current-context: one\ncontexts: [ { name: one, context: s3cret } ]" })
	void kubeconfigWhenItHasAnotherStructureShouldNameTheFileOnly(String content) throws Exception {
		assertUnusable(Files.writeString(this.directory.resolve("config"), content), "kubeconfig");
	}

	private void assertUnusable(Path file, String problem) {
		this.runner.withPropertyValues("kubernetes.client.kubeconfig=" + file)
			.run((context) -> assertThatExceptionOfType(BeanCreationException.class)
				.isThrownBy(() -> context.getBean(ApiClient.class))
				.havingRootCause()
				.isInstanceOf(InformerConfigurationException.class)
				.withMessageStartingWith(
						"The kubeconfig '%s' (from the property 'kubernetes.client.kubeconfig')".formatted(file))
				.withMessageContaining(problem)
				.withMessageNotContaining("s3cret"));
	}

	private Path kubeconfig(String name, String server, String user) throws Exception {
		return Files.writeString(this.directory.resolve(name), """
				current-context: one
				contexts: [ { name: one, context: { cluster: one, user: me } } ]
				clusters: [ { name: one, cluster: { server: "%s" } } ]
				users: [ { name: me, user: { %s } } ]
				""".formatted(server, user));
	}

	@Test
	void usersClientShouldWin() {
		this.runner.withUserConfiguration(UserClient.class)
			.withPropertyValues("kubernetes.client.url=http://localhost:1")
			.run((context) -> assertThat(context).hasSingleBean(ApiClient.class).hasBean("userClient"));
	}

	@Test
	void currentNamespaceShouldBeThatOfTheContext() throws Exception {
		this.runner.withPropertyValues("kubernetes.client.kubeconfig=" + kubeconfig("config"))
			.run((context) -> assertThat(context.getBean(ClusterLocator.class).currentNamespace()).isEqualTo("web"));
		this.runner
			.withPropertyValues("kubernetes.client.kubeconfig=" + kubeconfig("config"), "kubernetes.client.context=two")
			.run((context) -> assertThat(context.getBean(ClusterLocator.class).currentNamespace())
				.isEqualTo("default"));
	}

	@Test
	void currentNamespaceWhenNothingNamesItShouldFail() {
		this.runner.run((context) -> assertThatIllegalArgumentException()
			.isThrownBy(() -> context.getBean(ClusterLocator.class).currentNamespace())
			.withMessageContaining("@current"));
	}

	private void home() throws Exception {
		Files.createDirectories(this.directory.resolve(".kube"));
		Files.copy(kubeconfig("home"), this.directory.resolve(".kube/config"));
	}

	private Path kubeconfig(String name) throws Exception {
		return Files.writeString(this.directory.resolve(name), """
				apiVersion: v1
				kind: Config
				current-context: one
				contexts:
				- name: one
				  context: { cluster: one, namespace: web }
				- name: two
				  context: { cluster: two }
				clusters:
				- name: one
				  cluster: { server: "http://%1$s-one:1" }
				- name: two
				  cluster: { server: "http://%1$s-two:1" }
				users: []
				""".formatted(name));
	}

	@Configuration(proxyBeanMethods = false)
	static class UserClient {

		@Bean
		ApiClient userClient() {
			return new ApiClient();
		}

	}

	/**
	 * Details of a server that is not there.
	 *
	 * @param token the token
	 */
	private record TestConnectionDetails(@Nullable String token) implements KubernetesConnectionDetails {

		@Override
		public String getUrl() {
			return "http://by-details:1";
		}

		@Override
		public @Nullable String getToken() {
			return this.token;
		}

		@Override
		public String getNamespace() {
			return "of-details";
		}

	}

}
