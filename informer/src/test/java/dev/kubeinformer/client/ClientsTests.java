package dev.kubeinformer.client;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.VersionApi;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.tls.HeldCertificate;
import okio.BufferedSink;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.internal.client.ClientTime;
import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.types.ClientConfigurationException;
import dev.kubeinformer.types.InformerState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests of clients that are made without Spring.
 */
class ClientsTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	@TempDir
	private Path directory;

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void requestsCarryTheTokenAndAreSentOnceMoreWithTheNextOne() throws Exception {
		Path token = token("first");
		try (ManagedApiClient client = Clients.of(this.kubernetes.url()).tokenFile(token).build()) {
			CoreV1Api core = new CoreV1Api(client);
			core.createNamespace(namespace("a")).execute();
			this.kubernetes.faults()
				.on((request) -> "Bearer first".equals(request.header("Authorization")))
				.status(401);
			assertThatExceptionOfType(ApiException.class).isThrownBy(() -> core.readNamespace("a").execute())
				.satisfies((ex) -> assertThat(ex.getCode()).isEqualTo(401));
			this.kubernetes.clearRequests();
			token("second");
			core.createNamespace(namespace("b")).execute();
			core.readNamespace("b").execute();
			assertThat(authorizations()).containsExactly("Bearer first", "Bearer second", "Bearer second");
			assertThat(client.credential()).hasToString(String.valueOf(client.credential())).satisfies((credential) -> {
				assertThat(credential.source()).isEqualTo("token file '%s'".formatted(token));
				assertThat(credential.toString()).doesNotContain("second");
			});
		}
	}

	@Test
	void bodyThatCanBeSentOnceOnlyIsNotSentAgain() throws Exception {
		Path token = token("first");
		try (ManagedApiClient client = Clients.of(this.kubernetes.url()).tokenFile(token).build()) {
			token("second");
			this.kubernetes.faults()
				.on((request) -> "Bearer first".equals(request.header("Authorization")))
				.status(401);
			Request request = new Request.Builder().url(this.kubernetes.url() + "/api/v1/namespaces")
				.post(new OneShotBody("{\"metadata\":{\"name\":\"a\"}}"))
				.build();
			try (Response response = client.getHttpClient().newCall(request).execute()) {
				assertThat(response.code()).isEqualTo(401);
			}
			new VersionApi(client).getCode().execute();
			assertThat(authorizations()).containsExactly("Bearer first", "Bearer second");
		}
	}

	@Test
	void authorizationOfARequestIsItsOwn() throws Exception {
		try (ManagedApiClient client = Clients.of(this.kubernetes.url()).token("mine").build()) {
			Request request = new Request.Builder().url(this.kubernetes.url() + "/version")
				.header("Authorization", "Bearer other")
				.build();
			client.getHttpClient().newCall(request).execute().close();
			new VersionApi(client).getCode().execute();
			assertThat(authorizations()).containsExactly("Bearer other", "Bearer mine");
		}
	}

	@Test
	void informersGoOnWithTheNextTokenWithoutAnotherList() throws IOException {
		Path token = token("first");
		try (ManagedApiClient client = Clients.of(this.kubernetes.url()).tokenFile(token).build();
				Informers informers = Informers.builder(client).build()) {
			Informer<V1Pod> pods = informers.informer(V1Pod.class);
			informers.start();
			await().until(() -> pods.state() == InformerState.LIVE);
			token("second");
			this.kubernetes.clearRequests();
			this.kubernetes.faults()
				.on((request) -> "Bearer first".equals(request.header("Authorization")))
				.status(401);
			this.kubernetes.dropConnections();
			await().until(() -> this.kubernetes.requests()
				.stream()
				.anyMatch((request) -> request.isWatch() && request.status() == 200
						&& "Bearer second".equals(request.header("Authorization"))));
			assertThat(this.kubernetes.requests()).noneMatch(RecordedRequest::isList);
		}
	}

	@Test
	void otherServersDoNotLearnTheCredentials() throws Exception {
		try (EmbeddedKubernetes other = EmbeddedKubernetes.start();
				ManagedApiClient client = Clients.of(this.kubernetes.url()).token("mine").impersonate("jane").build()) {
			Request request = new Request.Builder().url(other.url() + "/version").build();
			client.getHttpClient().newCall(request).execute().close();
			assertThat(other.requests()).singleElement().satisfies((sent) -> {
				assertThat(sent.header("Authorization")).isNull();
				assertThat(sent.header("Impersonate-User")).isNull();
			});
			new VersionApi(client).getCode().execute();
			assertThat(authorizations()).containsExactly("Bearer mine");
			// The application says that this is its API server now.
			other.clearRequests();
			client.setBasePath(other.url());
			new VersionApi(client).getCode().execute();
			assertThat(other.requests()).singleElement().satisfies((sent) -> {
				assertThat(sent.header("Authorization")).isEqualTo("Bearer mine");
				assertThat(sent.header("Impersonate-User")).isEqualTo("jane");
			});
		}
	}

	@Test
	void textsOfAnAccessHoldNoPasswords() {
		ClusterAccess access = ApiServerUrl.access("https://me:s3cret@localhost:1", null);
		ClusterAccess proxied = new ClusterAccess(access.place(), access.origin(),
				new ClusterAccess.Server(access.server().url(), null, false, null, "http://me:s3cret@proxy:1"),
				access.user(), null);
		ClientAssembly assembly = ClientAssembly.of(proxied, new ClientOverrides(),
				ClientEnvironment.of((name) -> null), Duration.ZERO, ClientTime.system());
		assertThat(proxied + " " + assembly).doesNotContain("s3cret").doesNotContain("me:");
		assembly.close();
	}

	@Test
	void requestsAreMadeAsAnotherUser() throws Exception {
		try (ManagedApiClient client = Clients.of(this.kubernetes.url())
			.impersonate("jane", List.of("dev"), "7", Map.of("example.com/Team%", List.of("blue")))
			.build()) {
			new VersionApi(client).getCode().execute();
			assertThat(this.kubernetes.requests()).singleElement().satisfies((request) -> {
				assertThat(request.header("Impersonate-User")).isEqualTo("jane");
				assertThat(request.header("Impersonate-Group")).isEqualTo("dev");
				assertThat(request.header("Impersonate-Uid")).isEqualTo("7");
				assertThat(request.header("Impersonate-Extra-example.com%2Fteam%25")).isEqualTo("blue");
			});
			assertThat(client.description().impersonatedUser()).isEqualTo("jane");
		}
	}

	@ParameterizedTest
	@CsvSource({ "/, ''", "//, ''", "/k8s/clusters/c-1/, /k8s/clusters/c-1", "/k8s//, /k8s" })
	void pathOfTheUrlIsJoined(String end, String path) {
		try (ManagedApiClient client = Clients.of(" https://localhost:1%s".formatted(end)).build()) {
			assertThat(client.getBasePath()).isEqualTo("https://localhost:1" + path);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "localhost:6443", "ftp://me:s3cret@localhost", "https://", "https:// host", "" })
	void textThatIsNoUrlIsNamed(String url) {
		assertThatExceptionOfType(ClientConfigurationException.class).isThrownBy(() -> Clients.of(url).build())
			.withMessageContaining("must have a scheme and a host")
			.withMessageNotContaining("s3cret");
	}

	@Test
	void settingsThatCannotBeUsedAreNamed() {
		assertFails(Clients.of("https://localhost").proxy("me:s3cret@proxy"),
				"The builder of the client, field 'proxy'");
		assertFails(Clients.of("https://localhost").tokenFile(Path.of("/nonexistent/t")),
				"The builder of the client, field 'tokenFile', names the file '/nonexistent/t'");
		assertFails(Clients.of("https://localhost").certificateAuthority(Path.of("/nonexistent/ca")),
				"The builder of the client, field 'certificateAuthority'");
		assertFails(Clients.of("https://localhost").clientCertificate("s3cret", "s3cret"),
				"The builder of the client, field 'clientCertificate'");
		assertFails(Clients.of("https://localhost").impersonate(null, List.of("dev"), null, Map.of()),
				"The builder of the client, field 'as'");
		assertFails(Clients.of("https://localhost").impersonate("j\u00f6rg"), "an HTTP header cannot contain");
	}

	private static void assertFails(ManagedApiClient.Builder builder, String message) {
		assertThatExceptionOfType(ClientConfigurationException.class).isThrownBy(builder::build)
			.withMessageContaining(message)
			.withMessageNotContaining("s3cret");
	}

	@Test
	void clientIsMadeForWatches() {
		try (ManagedApiClient client = Clients.of("https://localhost:1")
			.connectTimeout(Duration.ofSeconds(3))
			.userAgent("mine/1")
			.tlsServerName("api.example.com")
			.build()) {
			assertThat(client.getHttpClient().readTimeoutMillis()).isZero();
			assertThat(client.getHttpClient().pingIntervalMillis()).isPositive();
			assertThat(client.getConnectTimeout()).isEqualTo(3000);
			assertThat(client.getHttpClient().followRedirects()).isFalse();
			assertThat(client.getHttpClient().followSslRedirects()).isFalse();
			assertThat(client.getTlsServerName()).isEqualTo("api.example.com");
			assertThat(client.credential()).isNull();
		}
	}

	@Test
	void authorityOfThisServerIsTrusted() throws Exception {
		try (EmbeddedKubernetes secure = EmbeddedKubernetes.builder().tls().start()) {
			Path authority = Files.writeString(this.directory.resolve("ca.crt"), secure.caCertificate());
			for (ManagedApiClient.Builder builder : List.of(Clients.of(secure.url()).certificateAuthority(authority),
					Clients.of(secure.url()).certificateAuthority(secure.caCertificate()))) {
				try (ManagedApiClient client = builder.build()) {
					assertThat(new VersionApi(client).getCode().execute().getGitVersion()).isNotEmpty();
				}
			}
			try (ManagedApiClient client = Clients.of(secure.url()).build()) {
				assertThatExceptionOfType(ApiException.class)
					.isThrownBy(() -> new VersionApi(client).getCode().execute());
			}
		}
	}

	@ParameterizedTest
	@CsvSource(nullValues = "-", textBlock = """
			variable, home, account, http://variable:1
			-,        home, account, http://home:1
			-,        -,    account, https://10.96.0.1:443
			-,        -,    -,       -
			""")
	void standardOrderIsKubeconfigThenServiceAccount(@Nullable String variable, @Nullable String home,
			@Nullable String account, @Nullable String url) throws IOException {
		Path folder = Files.createDirectories(this.directory.resolve(".kube"));
		if (home != null) {
			Files.writeString(folder.resolve("config"), kubeconfig(home));
		}
		String file = (variable != null)
				? Files.writeString(this.directory.resolve("config"), kubeconfig(variable)).toString() : null;
		if (account != null) {
			Files.writeString(this.directory.resolve("token"), "abc");
			try (EmbeddedKubernetes secure = EmbeddedKubernetes.builder().tls().start()) {
				Files.writeString(this.directory.resolve("ca.crt"), secure.caCertificate());
			}
		}
		ClientEnvironment environment = new ClientEnvironment((name) -> switch (name) {
			case "KUBECONFIG" -> file;
			case "KUBERNETES_SERVICE_HOST" -> "10.96.0.1";
			case "KUBERNETES_SERVICE_PORT" -> "443";
			default -> null;
		}, this.directory, this.directory);
		if (url == null) {
			assertThatExceptionOfType(ClientConfigurationException.class)
				.isThrownBy(() -> Clients.standard(environment).build())
				.withMessageContaining("KUBECONFIG")
				.withMessageContaining(folder.resolve("config").toString())
				.withMessageContaining("no file '%s', and the service account of the pod has no file '%s'",
						folder.resolve("config"), this.directory.resolve("token"))
				.satisfies((ex) -> assertThat(ex.getAction()).contains("'automountServiceAccountToken: true'"));
			return;
		}
		try (ManagedApiClient client = Clients.standard(environment).build()) {
			assertThat(client.getBasePath()).isEqualTo(url);
		}
	}

	@Test
	void kubeconfigIsThatOfKubectl() throws IOException {
		Path file = Files.writeString(this.directory.resolve("config"), kubeconfig("by-file"));
		ClientEnvironment environment = new ClientEnvironment((name) -> null, this.directory, this.directory);
		for (ManagedApiClient.Builder builder : List.of(Clients.fromKubeconfig(file),
				Clients.fromKubeconfig("~/config", environment),
				Clients.fromKubeconfig(file.toUri().toString(), environment))) {
			try (ManagedApiClient client = builder.context("one").build()) {
				assertThat(client.getBasePath()).isEqualTo("http://by-file:1");
				assertThat(client.description().origin()).contains(file.toString(), "one");
				assertThat(client.description().namespace()).isEqualTo("web");
			}
		}
		assertFails(Clients.fromKubeconfig(file).context("two"), "'two'");
	}

	@Test
	void variableNamesFilesAsAPersonWritesThem() throws IOException {
		Files.writeString(this.directory.resolve("config"), kubeconfig("by-file"));
		try (ManagedApiClient client = Clients
			.fromKubeconfig(new ClientEnvironment((name) -> "/nonexistent/x" + File.pathSeparator + "~/config",
					this.directory, this.directory))
			.build()) {
			assertThat(client.getBasePath()).isEqualTo("http://by-file:1");
		}
		assertFails(Clients.fromKubeconfig(new ClientEnvironment((name) -> "a\0b", this.directory, this.directory)),
				"(from the environment variable 'KUBECONFIG') is not the path of a file");
	}

	@Test
	void settingsAreCalledAsTheirHolderCallsThem() {
		Map<String, String> names = Map.of("tokenFile", "token-file", "certificateAuthority", "ca", "as", "user");
		String holder = "The configuration 'x'";
		Path missing = Path.of("/nonexistent/y");
		assertFails(Clients.of("https://localhost").tokenFile(missing).describedAs(null, null, holder, names),
				"The configuration 'x', field 'token-file', names the file '/nonexistent/y'");
		assertFails(
				Clients.of("https://localhost").certificateAuthority(missing).describedAs(null, null, holder, names),
				"The configuration 'x', field 'ca', names the file '/nonexistent/y'");
		assertFails(Clients.of("https://localhost").impersonate("j\u00f6rg").describedAs(null, null, holder, names),
				"The configuration 'x', field 'user', ");
		assertFails(Clients.of("https://localhost").proxy("x").describedAs(null, null, holder, names),
				"The configuration 'x', field 'proxy', ");
	}

	@Test
	void hangingPluginDelaysNeitherAStopNorARequestThatIsCancelled() throws Exception {
		Path script = this.directory.resolve("plugin");
		Path trace = this.directory.resolve("runs");
		Files.writeString(script,
				"""
						#!/bin/sh
						echo x >> %s
						test $(wc -l < %s) -gt 1 && exec sleep 600
						echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"first"}}'
						"""
					.formatted(trace, trace));
		assertThat(script.toFile().setExecutable(true)).isTrue();
		Set<Thread> before = Thread.getAllStackTraces().keySet();
		try (EmbeddedKubernetes secure = EmbeddedKubernetes.builder().tls().start();
				ManagedApiClient client = Clients.fromKubeconfig(kubeconfigWithPlugin(secure)).build()) {
			Informers informers = Informers.builder(client).build();
			Informer<V1Pod> pods = informers.informer(V1Pod.class);
			informers.start();
			await().until(() -> pods.state() == InformerState.LIVE);
			assertThat(lines(trace)).isOne();
			secure.faults().on((request) -> true).status(401);
			secure.dropConnections();
			await().until(() -> lines(trace) == 2);
			informers.stop();
			await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
				.filteredOn((thread) -> !before.contains(thread))
				.extracting(Thread::getName)
				.filteredOn((name) -> name.contains("reflector"))
				.isEmpty());
		}
	}

	@Test
	void clientThatCannotBeMadeLeavesNoThread() throws IOException {
		HeldCertificate me = new HeldCertificate.Builder().commonName("me").build();
		Path file = Files.writeString(this.directory.resolve("me.pem"), me.certificatePem() + me.privateKeyPkcs8Pem());
		Set<Thread> before = Thread.getAllStackTraces().keySet();
		ManagedApiClient.Builder builder = Clients.of("https://localhost:1").clientCertificate(file, file);
		assertFails(builder.tls(null, null, "TLSv1.9"),
				"The builder of the client, field 'tls', cannot be used: Cannot set up TLS: TLSv1.9");
		await().untilAsserted(
				() -> assertThat(Thread.getAllStackTraces().keySet()).filteredOn((thread) -> !before.contains(thread))
					.extracting(Thread::getName)
					.doesNotContain("informer-credentials"));
	}

	private Path kubeconfigWithPlugin(EmbeddedKubernetes secure) throws IOException {
		Path authority = Files.writeString(this.directory.resolve("ca.crt"), secure.caCertificate());
		return Files.writeString(this.directory.resolve("config"),
				"""
						apiVersion: v1
						kind: Config
						current-context: one
						contexts: [ { name: one, context: { cluster: one, user: me } } ]
						clusters: [ { name: one, cluster: { server: "%s", certificate-authority: %s } } ]
						users:
						- name: me
						  user: { exec: { apiVersion: client.authentication.k8s.io/v1, command: ./plugin, interactiveMode: Never } }
						"""
					.formatted(secure.url(), authority.getFileName()));
	}

	private static long lines(Path file) {
		try {
			return Files.readAllLines(file).size();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private List<String> authorizations() {
		return this.kubernetes.requests()
			.stream()
			.map((request) -> String.valueOf(request.header("Authorization")))
			.toList();
	}

	private Path token(String token) throws IOException {
		return Files.writeString(this.directory.resolve("token"), token);
	}

	private static V1Namespace namespace(String name) {
		return new V1Namespace().metadata(new V1ObjectMeta().name(name));
	}

	private static String kubeconfig(String host) {
		return """
				apiVersion: v1
				kind: Config
				current-context: one
				contexts: [ { name: one, context: { cluster: one, user: me, namespace: web } } ]
				clusters: [ { name: one, cluster: { server: "http://%s:1" } } ]
				users: [ { name: me, user: { token: abc } } ]
				""".formatted(host);
	}

	/**
	 * Body that is gone once it was sent.
	 */
	private static final class OneShotBody extends RequestBody {

		private final String text;

		OneShotBody(String text) {
			this.text = text;
		}

		@Override
		public MediaType contentType() {
			return MediaType.get("application/json");
		}

		@Override
		public boolean isOneShot() {
			return true;
		}

		@Override
		public void writeTo(BufferedSink sink) throws IOException {
			sink.writeUtf8(this.text);
		}

	}

}
