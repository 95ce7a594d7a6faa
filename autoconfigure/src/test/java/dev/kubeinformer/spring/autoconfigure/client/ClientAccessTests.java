package dev.kubeinformer.spring.autoconfigure.client;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import okhttp3.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

import dev.kubeinformer.Informers;
import dev.kubeinformer.fixtures.proxy.ScriptedProxy;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerError;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.cluster.InformerClusters;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.InformerState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests of how the API server is reached, and as whom: token files, certificate
 * authorities, proxies, impersonation.
 */
@ExtendWith(OutputCaptureExtension.class)
class ClientAccessTests {

	private static final String TOKEN_FILE = "kubernetes.client.token-file=";

	private static final String PROXY = "kubernetes.client.proxy=";

	private final ApplicationContextRunner runner = InformerContextRunner.withoutCluster();

	@TempDir
	private Path directory;

	@Test
	void tokenFileShouldBeReadAgainWhenItsTokenIsTurnedAway() throws IOException {
		Path token = token("first\n");
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			InformerContextRunner.with(kubernetes).withPropertyValues(TOKEN_FILE + token).run((context) -> {
				Informer<V1Pod> pods = live(context);
				assertThat(kubernetes.requests())
					.allMatch((request) -> "Bearer first".equals(request.header("Authorization")));
				token("second");
				kubernetes.faults().on(Requests.any()).times(1).status(401);
				kubernetes.dropConnections();
				await().until(() -> pods.state() == InformerState.LIVE && kubernetes.requests()
					.stream()
					.anyMatch((request) -> request.isWatch() && request.status() == 200
							&& "Bearer second".equals(request.header("Authorization"))));
			});
		}
	}

	@Test
	void tokenFileShouldBeReadAgainForAWriteThatIsTurnedAway() throws IOException {
		Path token = token("first");
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			InformerContextRunner.with(kubernetes).withPropertyValues(TOKEN_FILE + token).run((context) -> {
				CoreV1Api core = new CoreV1Api(context.getBean(ApiClient.class));
				core.createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name("a"))).execute();
				kubernetes.faults().on((request) -> "Bearer first".equals(request.header("Authorization"))).status(401);
				assertThatExceptionOfType(ApiException.class).isThrownBy(() -> core.readNamespace("a").execute())
					.satisfies((ex) -> assertThat(ex.getCode()).isEqualTo(401));
				token("second");
				kubernetes.clearRequests();
				core.createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name("b"))).execute();
				core.readNamespace("b").execute();
				assertThat(kubernetes.requests()).extracting((request) -> request.header("Authorization"))
					.containsExactly("Bearer first", "Bearer second", "Bearer second");
			});
		}
	}

	@Test
	void tokenFileThatCannotBeReadAnyMoreShouldLeaveTheLastToken() throws IOException {
		Path file = token("first");
		this.runner.withPropertyValues("kubernetes.client.url=https://localhost:1", TOKEN_FILE + file)
			.run((context) -> {
				ApiClient client = context.getBean(ApiClient.class);
				Files.delete(file);
				assertThat(SentRequest.authorization(client)).isEqualTo("Bearer first");
			});
	}

	@Test
	void tokenFileShouldWinOverTheUserOfTheKubeconfig() throws IOException {
		Path file = token("of-file");
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			this.runner
				.withPropertyValues("kubernetes.client.kubeconfig=" + kubeconfig(kubernetes.url(), "", "token: own"),
						TOKEN_FILE + file)
				.run((context) -> {
					live(context);
					assertThat(kubernetes.requests())
						.allMatch((request) -> "Bearer of-file".equals(request.header("Authorization")));
				});
		}
	}

	@Test
	void tokenFileWithoutTokenShouldBeNamed() throws IOException {
		assertInvalid("'kubernetes.client.token-file' is '/nonexistent/t'; it names the file '/nonexistent/t', which "
				+ "does not exist", TOKEN_FILE + "/nonexistent/t");
		assertInvalid("which is empty", TOKEN_FILE + token(" \n"));
		assertInvalid("which has more than one line", TOKEN_FILE + token("s3cret\ns3cret"));
		assertInvalid("cannot be set together with 'kubernetes.client.token'", TOKEN_FILE + token("s3cret"),
				"kubernetes.client.token=s3cret");
	}

	@Test
	void authorityShouldBeTrusted() throws IOException {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().tls().start()) {
			Path file = Files.writeString(this.directory.resolve("ca.crt"), kubernetes.caCertificate());
			for (String ca : List.of(file.toString(), file.toUri().toString(), kubernetes.caCertificate())) {
				InformerContextRunner.with(kubernetes)
					.withPropertyValues("kubernetes.client.ca=" + ca)
					.run(ClientAccessTests::live);
			}
		}
	}

	@Test
	void nameOfTheServersCertificateShouldBeThatOfTheProperty() throws IOException {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().tls().start()) {
			ApplicationContextRunner byUrl = InformerContextRunner.with(kubernetes)
				.withPropertyValues("kubernetes.client.ca=" + authority(kubernetes));
			byUrl.withPropertyValues("kubernetes.client.tls-server-name= localhost ").run((context) -> {
				assertThat(context.getBean(ApiClient.class).getTlsServerName()).isEqualTo("localhost");
				live(context);
			});
			byUrl.withPropertyValues("kubernetes.client.tls-server-name=other.example.com").run((context) -> {
				Informer<V1Pod> pods = context.getBean(Informers.class).informer(V1Pod.class);
				await().untilAsserted(() -> assertThat(pods.status().lastError()).isNotNull()
					.extracting(InformerError::reason)
					.isEqualTo("CertificateForAnotherName"));
			});
		}
	}

	@Test
	void authorityThatIsExchangedShouldBeTrusted(CapturedOutput output) throws IOException {
		try (EmbeddedKubernetes old = EmbeddedKubernetes.builder().tls().start();
				EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().tls().start()) {
			Path file = authority(old);
			InformerContextRunner.with(kubernetes).withPropertyValues("kubernetes.client.ca=" + file).run((context) -> {
				Informer<V1Pod> pods = context.getBean(Informers.class).informer(V1Pod.class);
				await().untilAsserted(() -> assertThat(pods.status().lastError()).isNotNull()
					.extracting(InformerError::reason)
					.isEqualTo("CertificateNotTrusted"));
				authority(kubernetes);
				await().until(() -> pods.state() == InformerState.LIVE);
			});
			assertThat(output).containsOnlyOnce(
					"The configuration 'kubernetes.client' names the file '%s' as 'ca', which has changed; "
						.formatted(file));
		}
	}

	@Test
	void authorityThatCannotBeReadShouldBeNamed() throws IOException {
		assertInvalid(
				"'kubernetes.client.ca' is '/nonexistent/ca.crt'; it names the file '/nonexistent/ca.crt', which does not exist",
				"kubernetes.client.ca=/nonexistent/ca.crt");
		assertInvalid("'kubernetes.client.ca' is '%s'; it names the file".formatted(token("none")),
				"kubernetes.client.ca=" + token("none"));
		assertInvalid("'kubernetes.client.ca' cannot be set together with 'kubernetes.client.ssl.bundle'",
				"kubernetes.client.ca=/etc/ca.crt", "kubernetes.client.ssl.bundle=cluster");
	}

	@Test
	void listsAndWatchesShouldTakeTheProxy(CapturedOutput output) throws IOException {
		try (ScriptedProxy proxy = ScriptedProxy.plain("me:s3:cret");
				EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			InformerContextRunner.with(kubernetes)
				.withPropertyValues(PROXY + "http://me:s3%3Acret@127.0.0.1:" + proxy.port())
				.run(ClientAccessTests::live);
			assertThat(proxy.asked()).contains("HTTP 127.0.0.1:" + URI.create(kubernetes.url()).getPort());
			assertThat(output).contains(", by the proxy http://127.0.0.1:" + proxy.port()).doesNotContain("s3");
		}
	}

	@Test
	void tlsShouldBeTunneledThroughTheProxyOfTheKubeconfig(CapturedOutput output) throws IOException {
		try (ScriptedProxy proxy = ScriptedProxy.plain("me:s3cret");
				EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().tls().start()) {
			Path ca = Files.writeString(this.directory.resolve("ca.crt"), kubernetes.caCertificate());
			Path kubeconfig = kubeconfig(kubernetes.url(),
					"certificate-authority: %s, proxy-url: 'http://me:s3cret@127.0.0.1:%d'".formatted(ca.getFileName(),
							proxy.port()),
					"token: abc");
			this.runner.withPropertyValues("kubernetes.client.kubeconfig=" + kubeconfig).run(ClientAccessTests::live);
			URI api = URI.create(kubernetes.url());
			assertThat(proxy.asked())
				.allMatch((line) -> line.equals("CONNECT %s:%d".formatted(api.getHost(), api.getPort())));
			assertThat(output).doesNotContain("s3cret");
		}
	}

	@Test
	void socksProxyShouldLookUpTheName() throws IOException {
		try (ScriptedProxy proxy = ScriptedProxy.plain(null);
				EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().hosts("api.example.com").start()) {
			int port = URI.create(kubernetes.url()).getPort();
			this.runner
				.withPropertyValues("kubernetes.client.url=http://api.example.com:" + port,
						PROXY + "socks5://127.0.0.1:" + proxy.port())
				.run(ClientAccessTests::live);
			assertThat(proxy.asked()).isNotEmpty().containsOnly("SOCKS3 api.example.com:" + port);
		}
	}

	@Test
	void proxyThatRefusesThePasswordShouldNotBeAskedForEver() throws IOException {
		try (ScriptedProxy proxy = ScriptedProxy.plain("me:other");
				EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			InformerContextRunner.with(kubernetes)
				.withPropertyValues(PROXY + "http://me:s3cret@127.0.0.1:" + proxy.port())
				.run((context) -> {
					Informer<V1Pod> pods = context.getBean(Informers.class).informer(V1Pod.class);
					await().until(() -> pods.status().lastError() != null);
					assertThat(pods.status().lastError().toString()).contains("407").doesNotContain("s3cret");
				});
		}
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			'proxy:3128', 'proxy:3128', 'begins with http://, https:// or socks5://'
			'http://', 'http:', scheme and host
			'ftp://s3cret@proxy', 'ftp://proxy', 'begins with http://, https:// or socks5://'
			""")
	void proxyThatCannotBeUsedShouldBeNamedWithoutItsPassword(String proxy, String shown, String rule)
			throws IOException {
		assertInvalid("'kubernetes.client.proxy' is '%s'".formatted(shown), PROXY + proxy);
		assertInvalid(rule, PROXY + proxy);
		Path kubeconfig = kubeconfig("http://localhost:1", "proxy-url: '%s'".formatted(proxy), "");
		this.runner.withPropertyValues("kubernetes.client.kubeconfig=" + kubeconfig)
			.run((context) -> assertFailed(context, "field 'proxy-url', "));
	}

	@Test
	void everyRequestShouldImpersonate(CapturedOutput output) {
		List<Request> sent = new CopyOnWriteArrayList<>();
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			InformerContextRunner.with(kubernetes)
				.withPropertyValues("kubernetes.client.impersonate.user=jane",
						"kubernetes.client.impersonate.groups=dev, ops", "kubernetes.client.impersonate.uid=7",
						"kubernetes.client.impersonate.extra.[example.com/Team%]=blue,green")
				.withBean(ApiClientCustomizer.class, () -> (client) -> client
					.setHttpClient(client.getHttpClient().newBuilder().addNetworkInterceptor((chain) -> {
						sent.add(chain.request());
						return chain.proceed(chain.request());
					}).build()))
				.run(ClientAccessTests::live);
			assertThat(sent).anyMatch((request) -> request.url().queryParameter("watch") != null)
				.allSatisfy((request) -> {
					assertThat(request.headers("Impersonate-User")).containsExactly("jane");
					assertThat(request.headers("Impersonate-Group")).containsExactly("dev", "ops");
					assertThat(request.headers("Impersonate-Uid")).containsExactly("7");
					assertThat(request.headers("Impersonate-Extra-example.com%2Fteam%25")).containsExactly("blue",
							"green");
				});
		}
		assertThat(output).contains(", as user 'jane'").doesNotContain("Unknown property");
	}

	@Test
	void userOfTheKubeconfigShouldBeImpersonatedUnlessAPropertyNamesAnother() throws IOException {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().tls().start()) {
			Path kubeconfig = kubeconfig(kubernetes.url(), "certificate-authority: " + authority(kubernetes),
					"token: abc, as: joe, as-groups: [ dev ], as-uid: '8', as-user-extra: { team: [ red ] }");
			this.runner.withPropertyValues("kubernetes.client.kubeconfig=" + kubeconfig).run((context) -> {
				live(context);
				assertThat(kubernetes.requests()).allSatisfy((request) -> {
					assertThat(request.header("Authorization")).isEqualTo("Bearer abc");
					assertThat(request.header("Impersonate-User")).isEqualTo("joe");
					assertThat(request.header("Impersonate-Group")).isEqualTo("dev");
					assertThat(request.header("Impersonate-Uid")).isEqualTo("8");
					assertThat(request.header("Impersonate-Extra-team")).isEqualTo("red");
				});
			});
			kubernetes.clearRequests();
			this.runner
				.withPropertyValues("kubernetes.client.kubeconfig=" + kubeconfig,
						"kubernetes.client.impersonate.user=jane")
				.run((context) -> {
					live(context);
					assertThat(kubernetes.requests()).allSatisfy((request) -> {
						assertThat(request.header("Impersonate-User")).isEqualTo("jane");
						assertThat(request.header("Impersonate-Group")).isNull();
					});
				});
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "as-groups: [ dev ]", "as-uid: '8'", "as-user-extra: { team: [ red ] }" })
	void attributesOfNobodyShouldFail(String user) throws IOException {
		Path kubeconfig = kubeconfig("https://localhost:1", "", user);
		this.runner.withPropertyValues("kubernetes.client.kubeconfig=" + kubeconfig)
			.run((context) -> assertFailed(context, "is set without 'as', which it needs"));
	}

	@Test
	void impersonationThatCannotBeSentShouldBeNamed() {
		assertInvalid("'kubernetes.client.impersonate.user' is not set, but groups",
				"kubernetes.client.impersonate.groups=dev");
		assertInvalid("'kubernetes.client.impersonate' has a value that an HTTP header cannot hold",
				"kubernetes.client.impersonate.user=j\u00f6rg");
	}

	@Test
	void namedClusterShouldHaveThemOfItsOwn() throws IOException {
		Path token = token("of-west");
		try (ScriptedProxy proxy = ScriptedProxy.plain(null);
				EmbeddedKubernetes west = EmbeddedKubernetes.builder().tls().start()) {
			Path ca = Files.writeString(this.directory.resolve("ca.crt"), west.caCertificate());
			this.runner
				.withPropertyValues("kubernetes.clusters.west.url=" + west.url(),
						"kubernetes.clusters.west.token-file=" + token, "kubernetes.clusters.west.ca=" + ca,
						"kubernetes.clusters.west.proxy=http://127.0.0.1:" + proxy.port(),
						"kubernetes.clusters.west.impersonate.user=jane",
						"kubernetes.clusters.west.impersonate.extra.token=blue")
				.run((context) -> {
					Informer<V1Pod> pods = context.getBean(InformerClusters.class).get("west").informer(V1Pod.class);
					await().until(() -> pods.state() == InformerState.LIVE);
					assertThat(west.requests()).isNotEmpty().allSatisfy((request) -> {
						assertThat(request.header("Authorization")).isEqualTo("Bearer of-west");
						assertThat(request.header("Impersonate-User")).isEqualTo("jane");
					});
					assertThat(proxy.asked()).isNotEmpty();
				});
		}
	}

	@Test
	void clientOfTheApplicationShouldBeWarnedOfThemByName(CapturedOutput output) {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			this.runner.withBean(ApiClient.class, () -> new ApiClient().setBasePath(kubernetes.url()))
				.withPropertyValues(TOKEN_FILE + "/s3cret", "kubernetes.client.ca=s3cret", PROXY + "s3cret",
						"kubernetes.client.impersonate.groups[0]=s3cret",
						"kubernetes.client.impersonate.extra.team=s3cret")
				.run(ClientAccessTests::live);
		}
		assertThat(output).contains("have no effect on it: kubernetes.client.token-file, kubernetes.client.ca, "
				+ "kubernetes.client.proxy, kubernetes.client.impersonate.groups, kubernetes.client.impersonate.extra")
			.doesNotContain("s3cret");
	}

	private void assertInvalid(String message, String... properties) {
		this.runner.withPropertyValues("kubernetes.client.url=https://localhost:1")
			.withPropertyValues(properties)
			.run((context) -> assertFailed(context, message));
	}

	private static void assertFailed(ApplicationContext context, String message) {
		assertThatExceptionOfType(BeanCreationException.class).isThrownBy(() -> context.getBean(ApiClient.class))
			.havingRootCause()
			.isInstanceOf(InformerConfigurationException.class)
			.withMessageContaining(message)
			.withMessageNotContaining("s3cret");
	}

	@Test
	void userWithoutCredentialsShouldTakeThoseOfTheProperties() throws IOException {
		Path token = token("of-file");
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().tls().start()) {
			Path kubeconfig = kubeconfig(kubernetes.url(), "certificate-authority: " + authority(kubernetes), "");
			this.runner
				.withPropertyValues("kubernetes.client.kubeconfig=" + kubeconfig, TOKEN_FILE + token,
						"kubernetes.informers.namespaces=@current")
				.run(ClientAccessTests::live);
			this.runner
				.withPropertyValues("kubernetes.clusters.west.kubeconfig=" + kubeconfig,
						"kubernetes.clusters.west.token-file=" + token)
				.run((context) -> {
					Informer<V1Pod> pods = context.getBean(InformerClusters.class).get("west").informer(V1Pod.class);
					await().until(() -> pods.state() == InformerState.LIVE);
				});
			assertThat(kubernetes.requests()).isNotEmpty()
				.allMatch((request) -> "Bearer of-file".equals(request.header("Authorization")));
			this.runner.withPropertyValues("kubernetes.client.kubeconfig=" + kubeconfig)
				.run((context) -> assertFailed(context, "user 'me' has no credentials"));
		}
	}

	@Test
	void nameOfTheServersCertificateShouldBeThatOfTheKubeconfig() throws IOException {
		InformerContextRunner.withoutCluster()
			.withPropertyValues("kubernetes.client.kubeconfig="
					+ kubeconfig("https://localhost:1/", "tls-server-name: ' api.example.com'", "token: x"))
			.run((context) -> {
				ApiClient client = context.getBean(ApiClient.class);
				assertThat(client.getTlsServerName()).isEqualTo("api.example.com");
				assertThat(client.getBasePath()).isEqualTo("https://localhost:1");
				assertThat(client.getHttpClient().readTimeoutMillis()).isZero();
				assertThat(client.getHttpClient().pingIntervalMillis()).isPositive();
			});
	}

	private static Informer<V1Pod> live(ConfigurableApplicationContext context) {
		Informer<V1Pod> pods = context.getBean(Informers.class).informer(V1Pod.class);
		await().until(() -> pods.state() == InformerState.LIVE);
		return pods;
	}

	private Path authority(EmbeddedKubernetes kubernetes) throws IOException {
		return Files.writeString(this.directory.resolve("ca.crt"), kubernetes.caCertificate());
	}

	private Path token(String content) throws IOException {
		return Files.writeString(this.directory.resolve("token"), content);
	}

	private Path kubeconfig(String server, String cluster, String user) throws IOException {
		return Files.writeString(this.directory.resolve("config"), """
				current-context: one
				contexts: [ { name: one, context: { cluster: one, user: me } } ]
				clusters: [ { name: one, cluster: { server: "%s", %s } } ]
				users: [ { name: me, user: { %s } } ]
				""".formatted(server, cluster, user));
	}

}
