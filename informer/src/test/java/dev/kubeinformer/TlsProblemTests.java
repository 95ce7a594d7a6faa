package dev.kubeinformer;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import okhttp3.ConnectionSpec;
import okhttp3.TlsVersion;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerError;
import dev.kubeinformer.internal.client.ClientTime;
import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.internal.client.Content;
import dev.kubeinformer.internal.client.tls.ClusterTls;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.ScriptedApiServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Messages of an informer about a server with which no TLS can be negotiated. */
class TlsProblemTests {

	@Test
	void certificateOfAnAuthorityThatIsNotTrustedIsNamed() {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().tls().start()) {
			assertProblem(kubernetes.url(), "CertificateNotTrusted",
					"is not signed by an authority that the client trusts");
		}
	}

	@Test
	void plainHttpThatIsAnsweredByAnAlertOfTlsIsNamed() throws Exception {
		try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
			CompletableFuture.runAsync(() -> alert(server));
			assertProblem("http://127.0.0.1:" + server.getLocalPort(), "TlsExpected", "begin the URL with https://");
		}
	}

	/** Answers each connection like OpenSSL answers bytes that are not TLS. */
	private static void alert(ServerSocket server) {
		while (!server.isClosed()) {
			try (Socket socket = server.accept()) {
				socket.getInputStream().read(new byte[4096]);
				socket.getOutputStream().write(new byte[] { 0x15, 3, 1, 0, 2, 2, 70 });
			}
			catch (IOException ex) {
				// the end of the test
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "Client sent an HTTP request to an HTTPS server.\n",
			"<html><center>The plain HTTP request was sent to HTTPS port</center></html>" })
	void plainHttpThatIsRefusedInWordsIsNamed(String answer) {
		try (ScriptedApiServer server = ScriptedApiServer.start()) {
			server.onEvery((request) -> true, (reply) -> reply.body(400, answer.getBytes(StandardCharsets.UTF_8)));
			assertProblem(server.url(), "TlsExpected", "begin the URL with https://");
		}
	}

	@Test
	void tlsToAPortOfPlainHttpIsNamed() {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			assertProblem(kubernetes.url().replace("http:", "https:"), "TlsNotSpoken",
					"does not speak TLS at this port");
		}
	}

	@Test
	void certificateForOtherNamesIsNamed() {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().tls().start()) {
			assertProblem(() -> {
				ApiClient client = client(kubernetes.url().replace("127.0.0.1", "other.example"));
				return client.setSslCaCert(
						new ByteArrayInputStream(kubernetes.caCertificate().getBytes(StandardCharsets.UTF_8)));
			}, "CertificateForAnotherName",
					"the API server's certificate is for [127.0.0.1, localhost], and not for 'other.example'; ");
		}
	}

	@Test
	void wrongServerNameIsNamed() {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().tls().start()) {
			Content authority = new Content.Inline("test", "certificate-authority-data", kubernetes.caCertificate());
			ClusterTls tls = ClusterTls.of(
					new ClusterAccess.Server(kubernetes.url(), "other.example", false, authority, null),
					ClientTime.system());
			assertProblem(() -> {
				ApiClient client = client(kubernetes.url());
				return client.setHttpClient(client.getHttpClient()
					.newBuilder()
					.sslSocketFactory(tls.socketFactory(), tls.trustManager())
					.hostnameVerifier(tls.hostnameVerifier())
					.build());
			}, "CertificateForAnotherName", "the API server's certificate is for 'localhost', '127.0.0.1', and not for "
					+ "'other.example' (from 'tls-server-name'); ");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void missingClientCertificateIsNamed(String version) throws Exception {
		try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
			HeldCertificate certificate = handshakes(server, version);
			// JDKs differ in what they call it.
			InformerError error = error(() -> client("https://127.0.0.1:" + server.getLocalPort())
				.setSslCaCert(new ByteArrayInputStream(certificate.certificatePem().getBytes(StandardCharsets.UTF_8))));
			assertThat(error.reason()).isIn("ClientCertificateRefused", "ClientCertificateRequired",
					"TlsHandshakeRefused");
			assertThat(error.message()).containsAnyOf("is missing", "sent none");
		}
	}

	@Test
	void versionsThatDifferAreNamed() throws Exception {
		try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
			handshakes(server, "TLSv1.3");
			ConnectionSpec old = new ConnectionSpec.Builder(ConnectionSpec.MODERN_TLS).tlsVersions(TlsVersion.TLS_1_2)
				.build();
			assertProblem(() -> {
				ApiClient client = client("https://127.0.0.1:" + server.getLocalPort());
				return client.setHttpClient(client.getHttpClient().newBuilder().connectionSpecs(List.of(old)).build());
			}, "TlsVersionsDiffer", "speak no common version of TLS");
		}
	}

	/**
	 * Insists on a client certificate. An alert is followed by what the client has still
	 * to say: a connection that ends at once is reset, and the alert lost.
	 */
	private static HeldCertificate handshakes(ServerSocket server, String version) {
		HeldCertificate certificate = new HeldCertificate.Builder().addSubjectAlternativeName("127.0.0.1").build();
		SSLSocketFactory tls = new HandshakeCertificates.Builder().heldCertificate(certificate)
			.build()
			.sslContext()
			.getSocketFactory();
		CompletableFuture.runAsync(() -> {
			while (!server.isClosed()) {
				try (Socket socket = server.accept()) {
					handshake((SSLSocket) tls.createSocket(socket, null, 0, false), version);
					socket.getInputStream().transferTo(OutputStream.nullOutputStream());
				}
				catch (IOException ex) {
					// the end of the test
				}
			}
		});
		return certificate;
	}

	private static void handshake(SSLSocket socket, String version) throws IOException {
		socket.setUseClientMode(false);
		socket.setNeedClientAuth(true);
		socket.setEnabledProtocols(new String[] { version });
		try {
			socket.startHandshake();
		}
		catch (SSLException ex) {
			// The alert must reach the client.
		}
	}

	private static ApiClient client(String url) {
		ApiClient client = new ApiClient().setBasePath(url);
		return client.setHttpClient(
				client.getHttpClient().newBuilder().dns((host) -> List.of(InetAddress.getLoopbackAddress())).build());
	}

	private static void assertProblem(String url, String reason, String message) {
		assertProblem(() -> new ApiClient().setBasePath(url), reason, message);
	}

	private static void assertProblem(Supplier<ApiClient> client, String reason, String message) {
		InformerError error = error(client);
		assertThat(error.reason()).isEqualTo(reason);
		assertThat(error.message()).contains(message);
	}

	private static InformerError error(Supplier<ApiClient> client) {
		try (Informers informers = Informers.builder(client::get).build()) {
			Informer<V1Pod> pods = informers.informer(V1Pod.class);
			informers.start();
			return await().until(() -> pods.status().lastError(), Objects::nonNull);
		}
	}

}
