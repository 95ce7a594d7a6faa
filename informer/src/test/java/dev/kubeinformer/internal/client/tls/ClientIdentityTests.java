package dev.kubeinformer.internal.client.tls;

import java.net.Socket;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.List;
import java.util.stream.Stream;

import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509TrustManager;

import okhttp3.Protocol;
import okhttp3.Response;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import dev.kubeinformer.internal.client.tls.TlsServer.Clients;
import dev.kubeinformer.internal.client.tls.TlsServer.Seen;
import dev.kubeinformer.internal.failure.Failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of the certificate of the client, which is exchanged while connections are open.
 */
class ClientIdentityTests {

	private final HeldCertificate authority = TlsServer.authority("ca");

	private final HeldCertificate clients = TlsServer.authority("clients");

	private TlsServer server(Clients asked, String... protocols) {
		return TlsServer.start(TlsServer.signed(this.authority, "server", "127.0.0.1"), asked, List.of(), protocols);
	}

	private TlsClient client(Protocol... protocols) {
		return TlsClient.trusting(TlsClient.inline(this.authority.certificatePem()), null, protocols);
	}

	private ClientIdentity identity(String name) {
		return TlsServer.identity(TlsServer.signed(this.clients, name));
	}

	private static String url(TlsServer server) {
		return "https://127.0.0.1:" + server.port();
	}

	static Stream<Arguments> versions() {
		return Stream.of("TLSv1.2", "TLSv1.3")
			.flatMap((tls) -> Stream.of(Protocol.HTTP_1_1, Protocol.HTTP_2).map((http) -> Arguments.of(tls, http)));
	}

	@ParameterizedTest
	@MethodSource("versions")
	void exchangedCertificateShouldCutConnectionsAndResumeNoSession(String tls, Protocol http) throws Exception {
		try (TlsServer server = server(Clients.NEEDED, tls); TlsClient client = client(http, Protocol.HTTP_1_1)) {
			ClientIdentity first = identity("first");
			client.tls.identity(first);
			client.getAnew(url(server));
			try (Response watch = client.watch(url(server))) {
				assertThat(watch.body().source().readUtf8Line()).isEqualTo("begun");
				client.tls.identity(new ClientIdentity(List.copyOf(first.chain()), first.key()));
				client.get(url(server));
				assertThat(server.seen).extracting(Seen::subject).containsOnly("CN=first");
				assertThat(server.seen).extracting(Seen::protocol).containsOnly(tls);
				client.tls.identity(identity("second"));
				assertThatIOException().isThrownBy(() -> watch.body().source().readUtf8Line())
					.satisfies((ex) -> assertThat(Failure.of(ex).isClosedHere()).as("%s", ex).isTrue());
			}
			client.get(url(server));
			assertThat(server.last().subject()).isEqualTo("CN=second");
			assertThat(server.last().http()).isEqualTo((http == Protocol.HTTP_2) ? "HTTP/2.0" : "HTTP/1.1");
		}
	}

	@Test
	void sameCertificateShouldKeepConnections() throws Exception {
		try (TlsServer server = server(Clients.WANTED); TlsClient client = client()) {
			client.tls.identity(identity("first"));
			client.get(url(server));
			client.get(url(server));
			ClientIdentity second = identity("second");
			client.tls.identity(second);
			client.get(url(server));
			client.tls.identity(second);
			client.get(url(server));
			assertThat(server.seen).extracting(Seen::subject)
				.containsExactly("CN=first", "CN=first", "CN=second", "CN=second");
			assertThat(server.seen.get(1).port()).isEqualTo(server.seen.get(0).port());
			assertThat(server.seen.get(3).port()).isEqualTo(server.seen.get(2).port())
				.isNotEqualTo(server.seen.get(1).port());
		}
	}

	@Test
	void certificateShouldBeLeftOut() throws Exception {
		try (TlsServer server = server(Clients.WANTED); TlsClient client = client()) {
			client.get(url(server));
			client.tls.identity(identity("first"));
			client.get(url(server));
			client.tls.identity(null);
			client.get(url(server));
			assertThat(server.seen).extracting(Seen::subject).containsExactly("", "CN=first", "");
		}
	}

	@ParameterizedTest
	@CsvSource({ "TLSv1.2", "TLSv1.3" })
	void certificateShouldBeSentWhateverIssuersTheServerNames(String tls) throws Exception {
		try (TlsServer server = TlsServer.start(TlsServer.signed(this.authority, "server", "127.0.0.1"), Clients.WANTED,
				List.of(TlsServer.authority("another").certificate()), tls); TlsClient client = client()) {
			client.tls.identity(identity("me"));
			client.get(url(server));
			assertThat(server.last().subject()).isEqualTo("CN=me");
		}
	}

	@ParameterizedTest
	@CsvSource({ "rsa, rsa-pkcs1, TLSv1.2", "rsa, rsa-pkcs8, TLSv1.3", "ec-p256, ec-p256-nopub, TLSv1.2",
			"ec-p256, ec-p256-params, TLSv1.3", "ec-p384, ec-p384-nopub, TLSv1.3", "ec-p521, ec-p521-nopub, TLSv1.3",
			"ed25519, ed25519, TLSv1.2", "ed25519, ed25519, TLSv1.3" })
	void certificateOfEachKindShouldAuthenticate(String certificate, String key, String tls) throws Exception {
		try (TlsServer server = server(Clients.NEEDED, tls); TlsClient client = client()) {
			client.tls.identity(Pem.identity("x", "certificate", PemTests.text(certificate + ".crt"), "key",
					PemTests.text(key + ".key")));
			client.get(url(server));
			assertThat(server.last().subject()).isEqualTo("CN=client,O=system:masters");
		}
	}

	@Test
	void managersOfABundleShouldTakeThePlaceOfTheConfiguration() throws Exception {
		HeldCertificate other = TlsServer.authority("other");
		try (TlsServer server = server(Clients.WANTED);
				TlsServer second = TlsServer.start(TlsServer.signed(other, "server", "127.0.0.1"));
				TlsClient client = client()) {
			client.tls.identity(identity("configured"));
			client.get(url(server));
			client.tls.renew(keys(TlsServer.signed(this.clients, "bundle")), null, "TLS");
			client.get(url(server));
			client.tls.identity(identity("next"));
			client.get(url(server));
			assertThat(server.seen.get(2).port()).isEqualTo(server.seen.get(1).port());
			client.tls.renew(null, trusting(other), "TLS");
			client.get(url(second));
			assertThatExceptionOfType(SSLException.class).isThrownBy(() -> client.get(url(server)));
			client.tls.renew(null, null, "TLSv1.2");
			client.get(url(server));
			assertThat(server.seen).extracting(Seen::subject)
				.containsExactly("CN=configured", "CN=bundle", "CN=bundle", "CN=next");
			assertThat(server.last().protocol()).isEqualTo("TLSv1.2");
			assertThatIllegalArgumentException().isThrownBy(() -> client.tls.renew(null, null, "TLSv9"));
		}
	}

	@Test
	void trustOfABundleShouldEndTheCarelessnessOfTheConfiguration() throws Exception {
		try (TlsServer server = server(Clients.UNKNOWN); TlsClient client = TlsClient.insecure(null)) {
			String otherName = "https://other:" + server.port();
			client.get(otherName);
			client.tls.renew(null, trusting(this.authority), "TLS");
			assertThatExceptionOfType(SSLException.class).isThrownBy(() -> client.get(otherName))
				.withMessageContaining("is for '127.0.0.1', and not for 'other'");
			client.get(url(server));
		}
	}

	@Test
	void handshakeThatIsUnderWayShouldBeCut() throws Exception {
		try (TlsServer server = server(Clients.WANTED);
				TlsClient client = client();
				Socket raw = new Socket("127.0.0.1", server.port())) {
			client.tls.identity(identity("first"));
			Socket socket = client.tls.socketFactory().createSocket(raw, "127.0.0.1", server.port(), true);
			client.tls.identity(identity("second"));
			assertThat(raw.isClosed()).isTrue();
			assertThatIOException().isThrownBy(() -> socket.getOutputStream().write(0));
		}
	}

	private static X509TrustManager trusting(HeldCertificate authority) {
		return new HandshakeCertificates.Builder().addTrustedCertificate(authority.certificate())
			.build()
			.trustManager();
	}

	private static KeyManager[] keys(HeldCertificate certificate) throws Exception {
		KeyStore store = KeyStore.getInstance("PKCS12");
		store.load(null, null);
		store.setKeyEntry("key", certificate.keyPair().getPrivate(), new char[0],
				new Certificate[] { certificate.certificate() });
		KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		factory.init(store, new char[0]);
		return factory.getKeyManagers();
	}

}
