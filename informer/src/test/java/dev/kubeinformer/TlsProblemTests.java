package dev.kubeinformer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.ScriptedApiServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What an informer says of a server that it does not agree with on TLS.
 */
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
			assertProblem("http://127.0.0.1:" + server.getLocalPort(), "TlsExpected",
					"the URL must begin with https://");
		}
	}

	/**
	 * Answers each connection as OpenSSL does what is no TLS.
	 */
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
			assertProblem(server.url(), "TlsExpected", "the URL must begin with https://");
		}
	}

	@Test
	void tlsToAPortOfPlainHttpIsNamed() {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			assertProblem(kubernetes.url().replace("http:", "https:"), "TlsNotSpoken",
					"does not speak TLS at this port");
		}
	}

	private static void assertProblem(String url, String reason, String message) {
		try (Informers informers = Informers.builder(() -> new ApiClient().setBasePath(url)).build()) {
			Informer<V1Pod> pods = informers.informer(V1Pod.class);
			informers.start();
			await().until(() -> pods.status().lastError() != null);
			assertThat(pods.status().lastError().reason()).isEqualTo(reason);
			assertThat(pods.status().lastError().message()).contains(message);
		}
	}

}
