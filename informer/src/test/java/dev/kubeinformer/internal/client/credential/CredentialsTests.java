package dev.kubeinformer.internal.client.credential;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

import dev.kubeinformer.internal.client.ClientTime;
import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.internal.client.ClusterAccess.Basic;
import dev.kubeinformer.internal.client.ClusterAccess.Impersonation;
import dev.kubeinformer.internal.client.ClusterAccess.Plugin;
import dev.kubeinformer.internal.client.ClusterAccess.Provider;
import dev.kubeinformer.internal.client.ClusterAccess.User;
import dev.kubeinformer.internal.client.Content;
import dev.kubeinformer.internal.client.WatchedFile;
import dev.kubeinformer.internal.client.tls.ClientIdentity;
import dev.kubeinformer.types.ClientConfigurationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests of {@link Credentials}: which source counts, and who is told about an exchange.
 */
@DisabledOnOs(OS.WINDOWS)
class CredentialsTests {

	private static final String V1 = "client.authentication.k8s.io/v1";

	private static final BooleanSupplier WAITING = () -> false;

	@TempDir
	private Path folder;

	private final TestTime time = new TestTime();

	private @Nullable Credentials credentials;

	@AfterEach
	void close() {
		if (this.credentials != null) {
			this.credentials.close();
		}
	}

	/**
	 * Which header and whether the certificate counts. T: token; F: file of a token; B:
	 * name and password; C: certificate; E: plugin; O: auth provider.
	 */
	@ParameterizedTest
	@CsvSource(nullValues = "-", textBlock = """
			'', -, false
			T, Bearer fixed, false
			F, Bearer file, false
			TF, Bearer file, false
			B, Basic bWU6cMOkc3M=, false
			C, -, true
			TC, Bearer fixed, true
			FC, Bearer file, true
			BC, Basic bWU6cMOkc3M=, true
			E, Bearer plugin, false
			TE, Bearer fixed, false
			FE, Bearer file, false
			BE, Basic bWU6cMOkc3M=, false
			CE, -, true
			O, Bearer oidc, false
			TO, Bearer fixed, false
			BO, Basic bWU6cMOkc3M=, false
			CO, Bearer oidc, true
			""")
	void sourceThatCountsInClientGoShouldCount(String kinds, @Nullable String header, boolean certificate)
			throws Exception {
		Credential credential = of(user(kinds)).current(WAITING);
		String authorization = credential.authorization();
		if (kinds.contains("O") && "Bearer oidc".equals(header)) {
			assertThat(authorization).isEqualTo("Bearer " + oidcToken());
		}
		else {
			assertThat(authorization).isEqualTo(header);
		}
		assertThat(credential.identity() != null).isEqualTo(certificate);
		assertThat(credential).asString().doesNotContain("fixed", "file,", oidcToken());
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			TB | has a token and a user name with a password, which exclude each other
			FB | has a token and a user name with a password, which exclude each other
			EO | has 'exec' and 'auth-provider', which exclude each other
			""")
	void sourcesThatClientGoRefusesShouldStopTheStart(String kinds, String problem) throws Exception {
		User user = user(kinds);
		assertThatExceptionOfType(ClientConfigurationException.class).isThrownBy(() -> of(user))
			.withMessageEndingWith(problem);
	}

	@Test
	void tokenShouldCountWhileItsFileCannotBeRead() throws Exception {
		Path file = this.folder.resolve("later");
		try (TestLog log = new TestLog()) {
			Credentials credentials = of(new User("fixed", file, null, null, null, null, null, Impersonation.none()));
			assertThat(credentials.current(WAITING).authorization()).isEqualTo("Bearer fixed");
			assertThat(log.lines()).singleElement()
				.asString()
				.isEqualTo("WARN The kubeconfig '/x', field 'tokenFile', names the file '%s', which does not exist; "
						+ "using the token of kubeconfig '/x' instead", file);
			for (int i = 0; i < 10; i++) {
				this.time.advance(WatchedFile.PERIOD);
				assertThat(credentials.current(WAITING).authorization()).isEqualTo("Bearer fixed");
			}
			assertThat(log.lines()).hasSize(1);
			Files.writeString(file, "file\n");
			this.time.advance(WatchedFile.PERIOD);
			assertThat(credentials.current(WAITING).authorization()).isEqualTo("Bearer file");
		}
	}

	@Test
	void certificateWithoutAKeyShouldStopTheStart() {
		User user = new User(null, null, inline("client-certificate-data", TestPem.OLD.certificate()), null, null, null,
				null, Impersonation.none());
		assertThatExceptionOfType(ClientConfigurationException.class).isThrownBy(() -> of(user))
			.withMessage("The kubeconfig '/x', field 'client-key', is missing, and 'client-certificate' needs it");
	}

	@Test
	void tokenThatCannotBeSentShouldStopTheStart() {
		User user = new User("s3cret\nother", null, null, null, null, null, null, Impersonation.none());
		assertThatExceptionOfType(ClientConfigurationException.class).isThrownBy(() -> of(user))
			.withMessage("The kubeconfig '/x', field 'token', has more than one line, and a token has one");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					client.authentication.k8s.io/v1 | Always | has the interactiveMode 'Always', but standard input is not a terminal
					client.authentication.k8s.io/v1 | Sometimes | has the unknown interactiveMode 'Sometimes'
					client.authentication.k8s.io/v1alpha1 | Never | has the apiVersion 'client.authentication.k8s.io/v1alpha1', which is not supported
					""")
	void pluginThatCannotRunShouldStopTheStart(String apiVersion, String mode, String problem) {
		User user = new User(null, null, null, null, null, plugin(apiVersion, "x", mode), null, Impersonation.none());
		assertThatExceptionOfType(ClientConfigurationException.class).isThrownBy(() -> of(user))
			.withMessage("The kubeconfig '/x', field 'exec', " + problem);
	}

	@Test
	void otherAuthProviderShouldBeRefused() {
		User user = new User(null, null, null, null, null, null, new Provider("gcp", Map.of(), null),
				Impersonation.none());
		assertThatExceptionOfType(ClientConfigurationException.class).isThrownBy(() -> of(user))
			.withMessage("The kubeconfig '/x', field 'auth-provider', names the auth provider 'gcp', "
					+ "which is not supported");
	}

	@Test
	void onlyPluginsAndProvidersShouldBeSlow() throws Exception {
		assertThat(of(user("FC")).areSlow()).isFalse();
		assertThat(of(user("E")).areSlow()).isTrue();
	}

	@Test
	void exchangedTokenBesideACertificateShouldBeToldWithIt() throws Exception {
		Credentials credentials = of(user("FC"));
		List<Credential> told = new CopyOnWriteArrayList<>();
		credentials.listen(told::add);
		Credential first = credentials.current(WAITING);
		assertThat(told).containsExactly(first);
		assertThat(credentials.current(WAITING)).isSameAs(first);
		assertThat(credentials.after(first, WAITING)).isSameAs(first);
		Files.writeString(this.folder.resolve("token"), "next");
		Credential second = credentials.after(first, WAITING);
		assertThat(second.authorization()).isEqualTo("Bearer next");
		assertThat(second.identity()).isEqualTo(first.identity());
		assertThat(told).containsExactly(first, second);
		// Who was refused with the old one gets the new one without another look.
		Files.writeString(this.folder.resolve("token"), "last");
		assertThat(credentials.after(first, WAITING)).isSameAs(second);
		List<Credential> late = new CopyOnWriteArrayList<>();
		credentials.listen(late::add);
		assertThat(late).containsExactly(second);
	}

	@Test
	void failureOfAPluginShouldNameItsConfiguration() {
		User user = new User(null, null, null, null, null, plugin(V1, "/no/such/plugin", "Never"), null,
				Impersonation.none());
		assertThatIOException().isThrownBy(() -> of(user).current(WAITING))
			.withMessageStartingWith("The kubeconfig '/x', field 'exec', names the credential plugin '/no/such/plugin'")
			.withCauseInstanceOf(ClientConfigurationException.class);
	}

	@Test
	void certificateOfAPluginShouldBeExchangedWithoutARequest() throws Exception {
		write("next", output(TestPem.NEW, Instant.now().plusSeconds(3600)));
		Path script = script("""
				cd '%s'
				cat current
				mv next current 2>/dev/null
				""".formatted(this.folder) + "exit 0");
		BlockingQueue<ClientIdentity> told = new LinkedBlockingQueue<>();
		User user = new User(null, null, null, null, null, plugin(V1, script.toString(), "Never"), null,
				Impersonation.none());
		Credentials credentials = of(user, ClientTime.system());
		credentials.listen((credential) -> told.add(Objects.requireNonNull(credential.identity())));
		write("current", output(TestPem.OLD, Instant.now().plusSeconds(2)));
		ClientIdentity first = Objects.requireNonNull(credentials.current(WAITING).identity());
		assertThat(told.poll(20, TimeUnit.SECONDS)).isEqualTo(first);
		assertThat(told.poll(20, TimeUnit.SECONDS)).isNotNull().isNotEqualTo(first);
	}

	@Test
	void certificateInFilesShouldBeLookedAtWithoutARequest() throws Exception {
		User user = user("C");
		CombinedCredentials credentials = (CombinedCredentials) of(user);
		List<@Nullable ClientIdentity> told = new CopyOnWriteArrayList<>();
		credentials.listen((credential) -> told.add(credential.identity()));
		credentials.current(WAITING);
		write("tls.pem", TestPem.NEW.certificate() + TestPem.NEW.key());
		this.time.advance(WatchedFile.PERIOD);
		assertThat(credentials.tend()).isEqualTo(WatchedFile.PERIOD);
		assertThat(told).hasSize(2).doesNotHaveDuplicates();
	}

	@Test
	void closeShouldEndTheThread() throws Exception {
		Set<Thread> before = threads();
		Credentials credentials = of(user("C"));
		credentials.current(WAITING);
		Set<Thread> started = threads();
		started.removeAll(before);
		assertThat(started).singleElement().satisfies((thread) -> assertThat(thread.isDaemon()).isTrue());
		credentials.close();
		Awaitility.await().until(() -> started.stream().noneMatch(Thread::isAlive));
	}

	@Test
	void tokensShouldNotNeedAThread() throws Exception {
		Set<Thread> before = threads();
		of(user("F")).current(WAITING);
		of(user("T")).current(WAITING);
		assertThat(before).containsAll(threads());
	}

	private static Set<Thread> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals("informer-credentials"))
			.collect(Collectors.toSet());
	}

	private Credentials of(User user) {
		return of(user, this.time.time());
	}

	private Credentials of(User user, ClientTime time) {
		ClusterAccess.Server server = new ClusterAccess.Server("https://127.0.0.1:1", null, false, null, null);
		Credentials created = Credentials
			.of(new ClusterAccess("The kubeconfig '/x'", "kubeconfig '/x'", server, user, null), time);
		this.credentials = created;
		return created;
	}

	private User user(String kinds) throws IOException {
		Content pem = null;
		if (kinds.contains("C")) {
			pem = new Content.InFile("x", "client-certificate",
					write("tls.pem", TestPem.OLD.certificate() + TestPem.OLD.key()));
		}
		Path script = script("echo '{\"apiVersion\":\"%s\",\"status\":{\"token\":\"plugin\"}}'".formatted(V1));
		return new User(kinds.contains("T") ? "fixed" : null, kinds.contains("F") ? write("token", "file\n") : null,
				pem, pem, kinds.contains("B") ? new Basic("me", "päss") : null,
				kinds.contains("E") ? plugin(V1, script.toString(), "IfAvailable") : null,
				kinds.contains("O") ? new Provider("oidc",
						Map.of("idp-issuer-url", "https://127.0.0.1:1", "client-id", "me", "id-token", oidcToken()),
						null) : null,
				Impersonation.none());
	}

	private static String oidcToken() {
		long expires = Instant.parse("2036-01-01T00:00:00Z").getEpochSecond();
		return "e30." + Base64.getUrlEncoder()
			.withoutPadding()
			.encodeToString("{\"exp\":%d}".formatted(expires).getBytes(StandardCharsets.UTF_8)) + ".sig";
	}

	private static Plugin plugin(String apiVersion, String command, String mode) {
		return new Plugin(apiVersion, command, List.of(), Map.of(), false, mode, null, null);
	}

	private static Content inline(String field, String text) {
		return new Content.Inline("The kubeconfig '/x'", field, text);
	}

	private static String output(TestPem pem, Instant expires) {
		return JsonMapper.builder()
			.build()
			.writeValueAsString(
					Map.of("apiVersion", V1, "kind", "ExecCredential", "status", Map.of("clientCertificateData",
							pem.certificate(), "clientKeyData", pem.key(), "expirationTimestamp", expires.toString())));
	}

	private Path write(String name, String content) throws IOException {
		return Files.writeString(this.folder.resolve(name), content);
	}

	private Path script(String body) throws IOException {
		Path script = write("plugin", "#!/bin/sh\n" + body + "\n");
		return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
	}

}
