package dev.kubeinformer.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Authenticator;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.X509TrustManager;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.tls.Certificates;
import okhttp3.tls.HandshakeCertificates;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.FastInformers;
import dev.kubeinformer.Informers;
import dev.kubeinformer.fixtures.proxy.ScriptedProxy;
import dev.kubeinformer.fixtures.proxy.ScriptedProxy.Mood;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.InformerState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests of connections by a proxy, over real sockets.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(60)
class ProxyConnectionTests {

	/** Enough for handshakes on a busy machine. */
	private static final int CONNECT_TIMEOUT = 30_000;

	private static final int SHORT_CONNECT_TIMEOUT = 400;

	private final EmbeddedKubernetes api = EmbeddedKubernetes.builder().tls().namespacesMustExist(false).start();

	private final EmbeddedKubernetes plain = EmbeddedKubernetes.start();

	@AfterAll
	void close() {
		this.api.close();
		this.plain.close();
	}

	@ParameterizedTest
	@CsvSource({ "http,,CONNECT", "http,me:s3:crät,CONNECT", "https,,CONNECT", "https,me:s3cret,CONNECT",
			"socks5,,SOCKS3", "socks5,me:s3crät,SOCKS3", "socks5h,me:s3cret,SOCKS3" })
	void informerShouldListAndWatchByTheProxy(String scheme, @Nullable String user, String asked) throws IOException {
		try (ScriptedProxy proxy = proxy(scheme, user)) {
			try (Informers informers = informers(settings(scheme, user, proxy), trust(proxy))) {
				Informer<V1ConfigMap> maps = informers.informer(V1ConfigMap.class);
				informers.start();
				await().until(() -> maps.state() == InformerState.LIVE);
				String name = scheme + "-" + (user != null);
				this.api.resources(V1ConfigMap.class)
					.create(new V1ConfigMap().metadata(new V1ObjectMeta().namespace("ns").name(name)));
				await().until(() -> maps.lister().namespace("ns").get(name) != null);
				assertThat(proxy.asked()).isNotEmpty().containsOnly(asked + " localhost:" + this.api.port());
				int before = proxy.asked().size();
				proxy.dropConnections();
				await().until(() -> proxy.asked().size() > before && maps.state() == InformerState.LIVE);
			}
		}
		assertThat(Authenticator.getDefault()).isNull();
	}

	@ParameterizedTest
	@CsvSource({ "http,,HTTP", "http,me:s3cret,HTTP", "https,me:s3cret,HTTP", "socks5,me:s3cret,SOCKS3" })
	void requestsWithoutTlsShouldTakeTheProxyAndNameTheUserAtOnce(String scheme, @Nullable String user, String asked)
			throws IOException {
		try (ScriptedProxy proxy = proxy(scheme, user)) {
			OkHttpClient client = client(settings(scheme, user, proxy), trust(proxy));
			for (int i = 0; i < 2; i++) {
				try (Response response = call(client, "http://localhost:" + this.plain.port() + "/version").execute()) {
					assertThat(response.code()).isEqualTo(200);
				}
			}
			assertThat(proxy.asked()).isNotEmpty().containsOnly(asked + " localhost:" + this.plain.port());
		}
	}

	@Test
	void userShouldNotBeToldToAProxyOrServerThatIsNamedLater() throws IOException {
		try (ScriptedProxy proxy = proxy("http", "me:s3cret"); ScriptedProxy other = proxy("http", "me:s3cret")) {
			OkHttpClient client = client(settings("http", "me:s3cret", proxy), null);
			this.plain.clearRequests();
			for (Proxy later : List.of(Proxy.NO_PROXY,
					new Proxy(Proxy.Type.HTTP, new InetSocketAddress("localhost", other.port())))) {
				call(client.newBuilder().proxy(later).build(), "http://localhost:" + this.plain.port() + "/version")
					.execute()
					.close();
			}
			assertThat(this.plain.requests()).hasSize(1)
				.allMatch((request) -> request.header("Proxy-Authorization") == null);
			assertThat(other.asked()).containsExactly("407");
			assertThat(proxy.asked()).isEmpty();
		}
	}

	@ParameterizedTest
	@CsvSource({ "http,", "http,me:s3cret", "https,me:s3cret" })
	void userShouldNotBeToldToTheServerBehindTheTunnel(String scheme, @Nullable String user) throws IOException {
		try (ScriptedProxy proxy = proxy(scheme, user);
				EmbeddedKubernetes server = EmbeddedKubernetes.builder().tls().start()) {
			server.faults().on(Requests.any()).status(407);
			OkHttpClient client = client(settings(scheme, user, proxy), trust(proxy));
			try (Response response = call(trusting(client, server.caCertificate()), server.url() + "/version")
				.execute()) {
				assertThat(response.code()).isEqualTo(407);
			}
			assertThat(server.requests()).singleElement()
				.satisfies((request) -> assertThat(request.header("Proxy-Authorization")).isNull());
		}
	}

	@Test
	void nameShouldBeResolvedByTheSocksProxyAndAddressesShouldStayAddresses() throws IOException {
		try (ScriptedProxy proxy = proxy("socks5", null)) {
			OkHttpClient client = client(settings("socks5", null, proxy), null);
			for (String host : new String[] { "api.example.com", "127.0.0.1" }) {
				call(client, "http://%s:%d/version".formatted(host, this.plain.port())).execute().close();
			}
			assertThat(proxy.asked()).containsExactly("SOCKS3 api.example.com:" + this.plain.port(),
					"SOCKS1 127.0.0.1:" + this.plain.port());
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "http", "https", "socks5" })
	void proxyThatRefusesThePasswordShouldBeNamed(String scheme) throws IOException {
		try (ScriptedProxy proxy = proxy(scheme, "me:other")) {
			assertThat(failure(settings(scheme, "me:s3cret", proxy), trust(proxy))).hasMessageContaining(
					"The proxy '%s' rejects the user and the password".formatted(shown(scheme, proxy)));
			assertThat(proxy.asked()).hasSize(1);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "http", "https", "socks5" })
	void proxyThatAsksForAUserShouldBeNamed(String scheme) throws IOException {
		try (ScriptedProxy proxy = proxy(scheme, "me:s3cret")) {
			assertThat(failure(settings(scheme, null, proxy), trust(proxy)))
				.hasMessageContaining("The proxy '%s' requires a user and a password".formatted(shown(scheme, proxy)))
				.hasMessageEndingWith("add them to its URL");
		}
	}

	@Test
	void userThatSocksCannotSendShouldMatterOnlyIfTheProxyAsks() throws IOException {
		String[] users = { ":s3cret", "ä".repeat(128) + ":s3cret", "me:" + "s3cret".repeat(43) };
		try (ScriptedProxy proxy = proxy("socks5", "me:s3cret"); ScriptedProxy open = proxy("socks5", null)) {
			for (String user : users) {
				assertThat(failure(settings("socks5", user, proxy), null))
					.hasMessageContaining("requires a user of 1 to 255 bytes and a password of up to 255");
				call(client(settings("socks5", user, open), null), "http://localhost:" + this.plain.port() + "/version")
					.execute()
					.close();
			}
			assertThat(proxy.asked()).isEmpty();
			assertThat(open.asked()).hasSize(users.length);
		}
	}

	@ParameterizedTest
	@CsvSource({ "https,SILENT", "https,SLOW", "https,SILENT_WHEN_ASKED", "socks5,SILENT", "socks5,SILENT_WHEN_ASKED" })
	void connectTimeoutShouldBoundTheProxy(String scheme, Mood mood) throws IOException {
		try (ScriptedProxy proxy = proxy(scheme, null)) {
			proxy.become(mood);
			long start = System.nanoTime();
			OkHttpClient client = client(settings(scheme, null, proxy), trust(proxy)).newBuilder()
				.connectTimeout(Duration.ofMillis(SHORT_CONNECT_TIMEOUT))
				.build();
			IOException ex = failure(client);
			assertThat(ex).isInstanceOf(SocketTimeoutException.class);
			if (mood == Mood.SILENT || mood == Mood.SLOW) {
				assertThat(ex).hasMessage("The proxy '%s' did not respond within the connect timeout of %d ms"
					.formatted(shown(scheme, proxy), SHORT_CONNECT_TIMEOUT));
			}
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "https", "socks5" })
	void callThatIsCancelledShouldNotWaitForTheProxy(String scheme) throws Exception {
		try (ScriptedProxy proxy = proxy(scheme, null)) {
			proxy.become(Mood.SILENT);
			OkHttpClient client = client(settings(scheme, null, proxy), trust(proxy)).newBuilder()
				.connectTimeout(Duration.ofMinutes(5))
				.build();
			Call call = call(client, "https://localhost:1/version");
			CountDownLatch failed = new CountDownLatch(1);
			call.enqueue(new Callback() {

				@Override
				public void onFailure(Call call, IOException ex) {
					failed.countDown();
				}

				@Override
				public void onResponse(Call call, Response response) {
					response.close();
				}

			});
			await().until(() -> proxy.accepted() > 0);
			call.cancel();
			assertThat(failed.await(20, TimeUnit.SECONDS)).isTrue();
			client.dispatcher().executorService().shutdown();
		}
	}

	@Test
	void certificateOfTheProxyShouldBeTrustedByTheJvmOrTheCluster() throws IOException {
		try (ScriptedProxy proxy = proxy("https", null); ScriptedProxy other = proxy("https", null)) {
			for (X509TrustManager cluster : new @Nullable X509TrustManager[] { null, trust(other) }) {
				assertThat(failure(settings("https", null, proxy), cluster)).isInstanceOf(ProxyException.class)
					.hasNoCause()
					.hasMessageStartingWith(
							"The TLS handshake with the proxy '%s' failed: ".formatted(shown("https", proxy)))
					.hasMessageContaining("unable to find valid certification path");
			}
		}
	}

	@Test
	void certificateOfTheProxyShouldBeForItsName() throws IOException {
		try (ScriptedProxy proxy = ScriptedProxy.tls("other.example.com", null)) {
			assertThat(failure(settings("https", null, proxy), trust(proxy))).isInstanceOf(ProxyException.class)
				.hasMessageContaining("The TLS handshake with the proxy")
				.hasMessageContaining("localhost");
		}
		try (ScriptedProxy proxy = ScriptedProxy.tls("127.0.0.1", null)) {
			ProxySettings settings = ProxySettings.parse("https://127.0.0.1:" + proxy.port());
			call(client(settings, trust(proxy)), "http://localhost:" + this.plain.port() + "/version").execute()
				.close();
			assertThat(proxy.asked()).hasSize(1);
		}
	}

	@Test
	void proxyThatDoesNotSpeakTheProtocolShouldBeNamed() throws IOException {
		assertThat(failure(ProxySettings.parse("https://localhost:" + this.plain.port()), null)).hasMessage(
				"The TLS handshake with the proxy 'https://localhost:%d' failed: it does not speak TLS; begin its "
						+ "URL with http://",
				this.plain.port());
		assertThat(failure(ProxySettings.parse("socks5://localhost:" + this.plain.port()), null)).hasMessageMatching(
				"The proxy 'socks5://localhost:%d' (closed the connection; check that it speaks|does not speak) SOCKS 5"
					.formatted(this.plain.port()));
	}

	@ParameterizedTest
	@CsvSource({ "1,general failure of the proxy", "2,its rules do not allow the connection", "5,connection refused",
			"99,unknown" })
	void answerOfTheSocksProxyShouldBeExplained(int code, String reason) throws IOException {
		try (ScriptedProxy proxy = proxy("socks5", null)) {
			proxy.answer(code);
			assertThat(failure(settings("socks5", null, proxy), null))
				.hasMessage("The proxy '%s' cannot connect to 'localhost:%d': %s (SOCKS response %d)"
					.formatted(shown("socks5", proxy), this.api.port(), reason, code));
		}
	}

	@Test
	void proxyThatCannotBeReachedShouldBeNamed() throws IOException {
		int port;
		try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			port = free.getLocalPort();
		}
		for (String scheme : new String[] { "https", "socks5" }) {
			assertThat(failure(ProxySettings.parse(scheme + "://me:s3cret@localhost:" + port), null))
				.hasMessageStartingWith("The proxy '%s://localhost:%d' cannot be reached: ".formatted(scheme, port));
		}
		assertThat(failure(ProxySettings.parse("socks5://nowhere.invalid"), null))
			.hasMessage("The proxy 'socks5://nowhere.invalid:1080' cannot be reached: its host is unknown");
	}

	@Test
	void passwordShouldBeInNoTextOfTheClient() {
		for (String scheme : new String[] { "http", "https", "socks5" }) {
			OkHttpClient client = client(ProxySettings.parse(scheme + "://me:s3cret@localhost:1"), null);
			assertThat("%s %s %s %s".formatted(client.proxy(), client.proxyAuthenticator(), client.socketFactory(),
					client.dns()))
				.doesNotContain("s3cret");
		}
	}

	private IOException failure(ProxySettings settings, @Nullable X509TrustManager cluster) {
		return failure(client(settings, cluster));
	}

	private IOException failure(OkHttpClient client) {
		IOException ex = catchThrowableOfType(IOException.class,
				() -> call(client, "https://localhost:%d/version".formatted(this.api.port())).execute().close());
		assertThat(ex).isNotNull();
		for (Throwable cause = ex; cause != null; cause = cause.getCause()) {
			assertThat(String.valueOf(cause.getMessage())).doesNotContain("s3cret");
		}
		return ex;
	}

	private static Call call(OkHttpClient client, String url) {
		return client.newCall(new Request.Builder().url(url).build());
	}

	/** Returns a client that waits forever for answers, like a watch. */
	private OkHttpClient client(ProxySettings settings, @Nullable X509TrustManager cluster) {
		OkHttpClient.Builder builder = apiClient().getHttpClient()
			.newBuilder()
			.connectTimeout(Duration.ofMillis(CONNECT_TIMEOUT))
			.readTimeout(Duration.ZERO);
		settings.apply(builder, cluster);
		return builder.build();
	}

	private Informers informers(ProxySettings settings, @Nullable X509TrustManager cluster) {
		ApiClient client = apiClient();
		OkHttpClient.Builder builder = client.getHttpClient().newBuilder();
		settings.apply(builder, cluster);
		client.setHttpClient(builder.build());
		return FastInformers.builder(client).build();
	}

	private ApiClient apiClient() {
		ApiClient client = new ApiClient();
		client.setBasePath("https://localhost:" + this.api.port());
		client.setSslCaCert(new ByteArrayInputStream(this.api.caCertificate().getBytes(StandardCharsets.US_ASCII)));
		return client;
	}

	private static ScriptedProxy proxy(String scheme, @Nullable String user) throws IOException {
		return scheme.equals("https") ? ScriptedProxy.tls(user) : ScriptedProxy.plain(user);
	}

	private static ProxySettings settings(String scheme, @Nullable String user, ScriptedProxy proxy) {
		return ProxySettings.parse("%s://%slocalhost:%d".formatted(scheme,
				(user != null) ? user.replaceFirst(":(.*):", ":$1%3A") + "@" : "", proxy.port()));
	}

	private static String shown(String scheme, ScriptedProxy proxy) {
		return "%s://localhost:%d".formatted(scheme, proxy.port());
	}

	private static OkHttpClient trusting(OkHttpClient client, String authority) {
		HandshakeCertificates certificates = new HandshakeCertificates.Builder()
			.addTrustedCertificate(Certificates.decodeCertificatePem(authority))
			.build();
		return client.newBuilder()
			.sslSocketFactory(certificates.sslSocketFactory(), certificates.trustManager())
			.build();
	}

	/** Authorities of a cluster that also vouch for the proxy, if it speaks TLS. */
	private static X509TrustManager trust(@Nullable ScriptedProxy proxy) {
		HandshakeCertificates.Builder builder = new HandshakeCertificates.Builder();
		if (proxy != null && proxy.speaksTls()) {
			builder.addTrustedCertificate(proxy.certificate().certificate());
		}
		return builder.build().trustManager();
	}

}
