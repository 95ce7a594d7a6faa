package dev.kubeinformer.internal.client.tls;

import java.io.IOException;
import java.util.Map;

import javax.net.ssl.SSLPeerUnverifiedException;

import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

/** Tests of a server's name, which is sent as SNI and verified. */
class ServerNameTests {

	private static final HeldCertificate authority = TlsServer.authority("ca");

	private static TlsServer server;

	@BeforeAll
	static void start() {
		server = TlsServer.start(TlsServer.signed(authority, "server", "api.example.com", "single", "127.0.0.1"));
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	private static TlsClient client(String tlsServerName) {
		return TlsClient.trusting(TlsClient.inline(authority.certificatePem()), tlsServerName);
	}

	@ParameterizedTest
	@CsvSource(nullValues = "-",
			value = { "api.example.com, -, api.example.com", "single, -, single", "127.0.0.1, -, ''",
					"127.0.0.1, api.example.com, api.example.com", "127.0.0.1, single, single", "single, 127.0.0.1, ''",
					"elsewhere.example.com, api.example.com, api.example.com", "api.example.com., -, api.example.com" })
	void nameShouldBeSentAndVerified(String host, String tlsServerName, String sni) throws IOException {
		try (TlsClient client = client(tlsServerName)) {
			client.get("https://%s:%d/".formatted(host, server.port()));
			assertThat(server.last().sni()).isEqualTo(sni);
		}
	}

	@ParameterizedTest
	@CsvSource(nullValues = "-",
			value = { "nobody, api.example.com, api.example.com", "nobody, [::1], ''", "nobody, ::1, ''" })
	void nameShouldBeSentWhereNothingIsVerified(String host, String tlsServerName, String sni) throws IOException {
		try (TlsClient client = TlsClient.insecure(tlsServerName)) {
			client.get("https://%s:%d/".formatted(host, server.port()));
			assertThat(server.last().sni()).isEqualTo(sni);
		}
	}

	@Test
	void otherNameShouldBeRefusedWithTheNamesOfTheCertificate() {
		try (TlsClient client = client(null)) {
			assertThatExceptionOfType(SSLPeerUnverifiedException.class)
				.isThrownBy(() -> client.get("https://other:%d/".formatted(server.port())))
				.withMessage(
						"The API server's certificate is for 'api.example.com', 'single', '127.0.0.1', and not for "
								+ "'other'; set 'tls-server-name' to one of these names");
		}
		try (TlsClient client = client("other.example.com")) {
			assertThatExceptionOfType(SSLPeerUnverifiedException.class)
				.isThrownBy(() -> client.get("https://single:%d/".formatted(server.port())))
				.withMessageContaining("and not for 'other.example.com' (from 'tls-server-name')");
		}
	}

	@Test
	void routerShouldFindTheServerByTheName() throws Exception {
		try (TlsServer one = TlsServer.start(TlsServer.signed(authority, "one", "one.clusters.example"));
				TlsServer two = TlsServer.start(TlsServer.signed(authority, "two", "two"));
				SniRouter router = new SniRouter(Map.of("one.clusters.example", one.port(), "two", two.port()));
				TlsClient first = client("one.clusters.example");
				TlsClient second = client("two");
				TlsClient lost = client("three")) {
			first.get(router.url());
			second.get(router.url());
			assertThat(one.seen).hasSize(1);
			assertThat(two.seen).hasSize(1);
			assertThatIOException().isThrownBy(() -> lost.get(router.url())).withMessageContaining("unrecognized_name");
		}
	}

	@Test
	void nameWithAnUnderscoreShouldBeSent() throws Exception {
		// Servers of Java refuse it, those of Go do not.
		try (SniRouter router = new SniRouter(Map.of()); TlsClient client = client("under_score")) {
			assertThatIOException().isThrownBy(() -> client.get(router.url()));
			assertThat(router.names).containsOnly("under_score");
		}
	}

	/** Results of Go's {@code Certificate.VerifyHostname}. */
	@ParameterizedTest
	@CsvSource({ "a.example.com, a.example.com, true", "A.Example.COM, a.example.com, true",
			"a.example.com, A.EXAMPLE.com, true", "a.example.com, a.example.com., true",
			"a.example.com, b.example.com, false", "*.example.com, a.example.com, true",
			"*.example.com, a.b.example.com, false", "*.example.com, example.com, false",
			"*.example.com, .example.com, false", "*.com, a.com, true", "a*.example.com, ab.example.com, false",
			"a*.example.com, a*.example.com, true", "*.example.com, *.example.com, true", "a.*.com, a.b.com, false",
			"*, a, false", "single, single, true", "under_score, under_score, true", "10.0.0.1, 10.0.0.1, true",
			"10.0.0.1, 10.0.0.2, false", "::1, ::1, true", "::1, 0:0:0:0:0:0:0:1, true", "::1, [::1], true",
			"*.example.com, -a.example.com, false", "a.example.com, '', false", "10.0.0.1, ::ffff:10.0.0.1, true" })
	void namesShouldMatchAsInGo(String certified, String host, boolean matches) {
		HeldCertificate certificate = TlsServer.signed(authority, "a.example.com", certified);
		assertThat(ServerNames.matches(certificate.certificate(), host)).isEqualTo(matches);
	}

	@Test
	void commonNameShouldNotCount() throws Exception {
		try (TlsServer old = TlsServer.start(TlsServer.signed(authority, "api.example.com"));
				TlsClient client = client(null)) {
			assertThatExceptionOfType(SSLPeerUnverifiedException.class)
				.isThrownBy(() -> client.get("https://api.example.com:%d/".formatted(old.port())))
				.withMessageContaining("is for no name (only its subject has one, which is ignored)");
		}
	}

	@Test
	void socketsOfEveryKindShouldSendTheName() {
		try (TlsClient client = client("api.example.com")) {
			assertThatCode(() -> client.tls.socketFactory().createSocket("127.0.0.1", server.port()).close())
				.doesNotThrowAnyException();
			assertThatIOException().isThrownBy(() -> client.tls.socketFactory().createSocket());
		}
	}

}
