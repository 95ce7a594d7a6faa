package dev.kubeinformer.internal.client.credential;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.internal.client.kubeconfig.KubeconfigRequest;
import dev.kubeinformer.internal.client.kubeconfig.Kubeconfigs;
import dev.kubeinformer.types.ClientConfigurationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests of {@link OidcProvider} with an identity provider of the test.
 */
class OidcProviderTests {

	private static final String METADATA = "/.well-known/openid-configuration";

	private final TestTime time = new TestTime();

	private final List<String> requests = new CopyOnWriteArrayList<>();

	private final Map<String, String> config = new HashMap<>();

	private HttpServer server;

	private volatile String metadata = "";

	private volatile String answer = "";

	/** Where the metadata is said to be; empty for where it is asked for. */
	private volatile String redirect = "";

	private volatile int status = 200;

	/** Whether the client must be in the form, as some providers want it. */
	private volatile boolean form;

	@BeforeEach
	void start() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		String issuer = "http://127.0.0.1:" + this.server.getAddress().getPort();
		this.server.createContext("/", this::answer);
		this.server.start();
		this.metadata = "{\"token_endpoint\":\"%s/token\"}".formatted(issuer);
		this.config.putAll(Map.of("idp-issuer-url", issuer + "/", "client-id", "a:b", "client-secret", "s c"));
	}

	@AfterEach
	void stop() {
		this.server.stop(0);
	}

	private void answer(HttpExchange exchange) throws IOException {
		String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
		String authorization = exchange.getRequestHeaders().getFirst("Authorization");
		this.requests.add("%s %s %s".formatted(exchange.getRequestURI(), authorization, body));
		boolean known = exchange.getRequestURI().getPath().equals(METADATA);
		boolean refused = !known && this.form && authorization != null;
		if (known && !this.redirect.isEmpty()) {
			exchange.getResponseHeaders().add("Location", this.redirect);
			exchange.sendResponseHeaders(302, -1);
			exchange.close();
			return;
		}
		byte[] bytes = (known ? this.metadata : this.answer).getBytes(StandardCharsets.UTF_8);
		exchange.sendResponseHeaders(known ? 200 : refused ? 401 : this.status, bytes.length);
		exchange.getResponseBody().write(bytes);
		exchange.close();
	}

	@Test
	void validTokenShouldBeUsedWithoutARequest() throws Exception {
		this.config.put("id-token", token(3600));
		Credential credential = provider().fetch();
		assertThat(credential.authorization()).isEqualTo("Bearer " + token(3600));
		assertThat(credential.expires()).isEqualTo(TestTime.START.plusSeconds(3600));
		assertThat(credential.source()).startsWith("auth provider 'oidc' (http://127.0.0.1:");
		assertThat(this.requests).isEmpty();
	}

	@Test
	void tokenThatExpiresShouldBeRefreshed() throws Exception {
		this.config.put("id-token", token(59));
		this.config.put("refresh-token", "r&1");
		this.answer = "{\"id_token\":\"%s\"}".formatted(token(600));
		assertThat(provider().fetch().authorization()).isEqualTo("Bearer " + token(600));
		String client = Base64.getEncoder().encodeToString("a%3Ab:s+c".getBytes(StandardCharsets.UTF_8));
		assertThat(this.requests).containsExactly(METADATA + " null ",
				"/token Basic %s grant_type=refresh_token&refresh_token=r%%261".formatted(client));
	}

	@Test
	void clientShouldBeSentInTheFormIfTheHeaderIsRefused() throws Exception {
		this.form = true;
		this.config.put("refresh-token", "r1");
		this.answer = "{\"id_token\":\"%s\"}".formatted(token(600));
		provider().fetch();
		assertThat(this.requests).hasSize(3)
			.last()
			.isEqualTo("/token null grant_type=refresh_token&refresh_token=r1&client_id=a%3Ab&client_secret=s+c");
	}

	@Test
	void newTokensShouldBeWrittenToTheKubeconfig(@TempDir Path folder) throws Exception {
		this.config.put("refresh-token", "r1");
		Path file = kubeconfig(folder.resolve("config"));
		String before = Files.readString(file);
		try (TestLog log = new TestLog()) {
			this.answer = "{\"id_token\":\"%s\",\"refresh_token\":\"r2\"}".formatted(token(30));
			provider(file).fetch();
			assertThat(file).content()
				.contains("\"id-token\": \"%s\"".formatted(token(30)), "refresh-token: r2", "# mine")
				.hasSize(before.length() + "\"id-token\": \"\", ".length() + token(30).length());
			this.answer = "{\"id_token\":\"%s\",\"refresh_token\":\"r3\"}".formatted(token(600));
			OidcProvider next = provider(file);
			next.fetch();
			assertThat(this.requests).last().asString().endsWith("refresh_token=r2");
			assertThat(file).content().contains(token(600), "refresh-token: r3").doesNotContain(token(30));
			int asked = this.requests.size();
			assertThat(provider(file).fetch().authorization()).isEqualTo("Bearer " + token(600));
			assertThat(this.requests).hasSize(asked);
			assertThat(log.lines()).isEmpty();
		}
	}

	@Test
	void tokensOfAnotherProcessShouldBeTakenOver(@TempDir Path folder) throws Exception {
		this.config.put("refresh-token", "r1");
		Path file = kubeconfig(folder.resolve("config"));
		OidcProvider provider = provider(file);
		Files.writeString(file, Files.readString(file).replace("r1", "r7"));
		this.answer = "{\"id_token\":\"%s\",\"refresh_token\":\"r8\"}".formatted(token(30));
		provider.fetch();
		assertThat(this.requests).last().asString().endsWith("refresh_token=r7");
		Files.writeString(file, Files.readString(file).replace("r8", "r9").replace(token(30), token(700)));
		int asked = this.requests.size();
		assertThat(provider.fetch().authorization()).isEqualTo("Bearer " + token(700));
		assertThat(this.requests).hasSize(asked);
	}

	@Test
	void refreshTokenOfAnotherProviderShouldNotBeSent(@TempDir Path folder) throws Exception {
		this.config.put("refresh-token", "r1");
		Path file = kubeconfig(folder.resolve("config"));
		OidcProvider provider = provider(file);
		Files.writeString(file, Files.readString(file).replace("r1", "r7").replace("client-id: ", "client-id: x"));
		this.answer = "{\"id_token\":\"%s\"}".formatted(token(600));
		provider.fetch();
		assertThat(this.requests).last().asString().endsWith("refresh_token=r1");
	}

	@Test
	void kubeconfigThatCannotBeWrittenShouldWarnOnce(@TempDir Path folder) throws Exception {
		this.config.put("refresh-token", "r1");
		// Its lock cannot be made.
		Path file = kubeconfig(folder.resolve("x".repeat(252)));
		String before = Files.readString(file);
		try (TestLog log = new TestLog()) {
			this.answer = "{\"id_token\":\"%s\"}".formatted(token(30));
			OidcProvider provider = provider(file);
			provider.fetch();
			assertThat(log.lines()).isEmpty();
			this.answer = "{\"id_token\":\"%s\",\"refresh_token\":\"r2\"}".formatted(token(30));
			provider.fetch();
			this.answer = "{\"id_token\":\"%s\",\"refresh_token\":\"r3\"}".formatted(token(30));
			provider.fetch();
			assertThat(this.requests).last().asString().endsWith("refresh_token=r2");
			assertThat(log.lines()).singleElement()
				.asString()
				.startsWith("WARN the identity provider 'http://127.0.0.1:")
				.contains("cannot be written to the kubeconfig '" + file + "' ('")
				.doesNotContain("r2", token(30));
		}
		assertThat(file).hasContent(before);
	}

	@Test
	void newRefreshTokenWithoutAFileShouldBeUsedAndWarnOnce() throws Exception {
		this.config.put("refresh-token", "r1");
		this.answer = "{\"id_token\":\"%s\",\"refresh_token\":\"r2\"}".formatted(token(30));
		try (TestLog log = new TestLog()) {
			OidcProvider provider = provider();
			provider.fetch();
			this.answer = "{\"id_token\":\"%s\",\"refresh_token\":\"r3\"}".formatted(token(30));
			provider.fetch();
			assertThat(this.requests).last().asString().endsWith("refresh_token=r2");
			assertThat(log.lines()).singleElement()
				.asString()
				.startsWith("WARN the identity provider 'http://127.0.0.1:")
				.contains("is not in a file")
				.doesNotContain("r2");
		}
	}

	@Test
	void redirectOfTheMetadataShouldNotBeFollowed() {
		this.config.put("refresh-token", "r1");
		this.redirect = "/elsewhere";
		this.answer = this.metadata;
		assertThatIOException().isThrownBy(() -> provider().fetch())
			.withMessageContaining("whose metadata has no 'token_endpoint' (HTTP 302)");
		assertThat(this.requests).containsExactly(METADATA + " null ");
	}

	@ParameterizedTest
	@CsvSource({ "http://0.0.0.0:1/token, 1", "HTTP://0.0.0.0:1/token, 1", "http://127.0.0.1:1/token, 0",
			"http://localhost:1/token, 0", "https://0.0.0.0:1/token, 0" })
	void endpointWithoutTlsShouldBeWarnedOfOnce(String endpoint, int lines) {
		this.config.put("refresh-token", "r1");
		this.metadata = "{\"token_endpoint\":\"%s\"}".formatted(endpoint);
		try (TestLog log = new TestLog()) {
			OidcProvider provider = provider();
			for (int i = 0; i < 2; i++) {
				assertThatIOException().isThrownBy(provider::fetch).withMessageContaining("cannot be reached");
			}
			assertThat(log.lines()).hasSize(lines).allMatch((line) -> line.startsWith("WARN the identity provider"));
		}
	}

	@ParameterizedTest
	@CsvSource({ "http://127.0.0.1.example.com/, true", "http://localhost.example.com, true", "http://[::1]:80/, false",
			"http://localhost, false", "http://localhost@example.com/, true", "https://example.com, false" })
	void loopbackShouldBeTheWholeHost(String url, boolean readable) {
		assertThat(IssuerHttp.isReadable(url)).isEqualTo(readable);
	}

	@Test
	void tokenThatIsStillValidShouldBeUsedWithoutARefreshToken() throws Exception {
		this.config.put("id-token", token(1));
		assertThat(provider().fetch().authorization()).isEqualTo("Bearer " + token(1));
	}

	@Test
	void missingTokensShouldBeNamed() {
		this.config.put("id-token", token(0));
		assertThatIOException().isThrownBy(() -> provider().fetch())
			.withMessageStartingWith("The kubeconfig '/x', field 'auth-provider.config', has no valid 'id-token', "
					+ "and no 'refresh-token' to obtain one. Log in again")
			.withCauseInstanceOf(ClientConfigurationException.class);
		this.config.put("id-token", "s3cret");
		assertThatIOException().isThrownBy(() -> provider().fetch())
			.withMessageContaining("is not a JWT")
			.withMessageNotContaining("s3cret");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					400 | {"error":"invalid_grant","error_description":"s3cret"} | did not refresh the token (HTTP 400, invalid_grant)
					500 | s3cret | did not refresh the token (HTTP 500)
					200 | {"access_token":"s3cret"} | whose response has no 'id_token'
					""")
	void refusedRefreshShouldSayWhy(int status, String answer, String problem) {
		this.config.put("refresh-token", "r1");
		this.status = status;
		this.answer = answer;
		assertThatIOException().isThrownBy(() -> provider().fetch())
			.withMessageContaining(problem)
			.withMessageNotContaining("s3cret");
	}

	@Test
	void metadataWithoutAnEndpointShouldBeNamed() {
		this.config.put("refresh-token", "r1");
		this.metadata = "{}";
		assertThatIOException().isThrownBy(() -> provider().fetch())
			.withMessageContaining("whose metadata has no 'token_endpoint' (HTTP 200)");
	}

	@Test
	void providerThatCannotBeReachedShouldBeNamed() {
		this.config.put("refresh-token", "r1");
		this.server.stop(0);
		assertThatIOException().isThrownBy(() -> provider().fetch())
			.withMessageMatching("The kubeconfig '/x', field 'auth-provider', names the identity provider "
					+ "'http://127.0.0.1:\\d+/', which cannot be reached \\(ConnectException: .*\\)");
	}

	@ParameterizedTest
	@CsvSource({ "idp-issuer-url, ''", "client-id, ''" })
	void missingFieldShouldStopTheStart(String field, String value) {
		this.config.put(field, value);
		assertThatExceptionOfType(ClientConfigurationException.class).isThrownBy(this::provider)
			.withMessage("The kubeconfig '/x', field 'auth-provider.config.%s', is missing", field);
	}

	@ParameterizedTest
	@CsvSource({ "idp-certificate-authority, /no/such/file, which does not exist",
			"idp-certificate-authority-data, bm90aGluZw==, ''" })
	void authorityThatCannotBeUsedShouldStopTheStart(String field, String value, String problem) {
		this.config.put(field, value);
		assertThatExceptionOfType(ClientConfigurationException.class).isThrownBy(this::provider)
			.withMessageStartingWith("The kubeconfig '/x', field 'auth-provider.config.%s', ", field)
			.withMessageContaining(problem);
	}

	private OidcProvider provider() {
		ClusterAccess.Server server = new ClusterAccess.Server("https://127.0.0.1:1", null, false, null, null);
		ClusterAccess access = new ClusterAccess("The kubeconfig '/x'", "kubeconfig '/x'", server,
				ClusterAccess.User.anonymous(), null);
		return OidcProvider.of(access, new ClusterAccess.Provider("oidc", this.config, null), this.time.time());
	}

	private OidcProvider provider(Path kubeconfig) {
		ClusterAccess access = Kubeconfigs
			.read(new KubeconfigRequest(List.of(kubeconfig), "the test", null, null, false));
		return OidcProvider.of(access, Objects.requireNonNull(access.user().provider()), this.time.time());
	}

	private Path kubeconfig(Path file) throws IOException {
		String fields = this.config.entrySet()
			.stream()
			.map((field) -> "%s: %s".formatted(field.getKey(), field.getValue()))
			.collect(Collectors.joining(", "));
		return Files.writeString(file, """
				# mine
				current-context: here
				contexts: [ { name: here, context: { cluster: c, user: me } } ]
				clusters: [ { name: c, cluster: { server: 'https://127.0.0.1:1' } } ]
				users: [ { name: me, user: { auth-provider: { name: oidc, config: { %s } } } } ]
				""".formatted(fields));
	}

	private static String token(long seconds) {
		Instant expires = TestTime.START.plusSeconds(seconds);
		return "e30."
				+ Base64.getUrlEncoder()
					.withoutPadding()
					.encodeToString("{\"exp\":%d}".formatted(expires.getEpochSecond()).getBytes(StandardCharsets.UTF_8))
				+ ".sig";
	}

}
