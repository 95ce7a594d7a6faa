package dev.kubeinformer.internal.client.tls;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

import okhttp3.Protocol;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.kubeinformer.internal.failure.Failure;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Messages of a client about a server that requires a certificate, sends an alert, and
 * immediately closes the connection without reading what the client still sends.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "other systems throw away what came before a reset")
class LostAlertTests {

	private static final int ATTEMPTS = 20;

	private final HeldCertificate authority = TlsServer.authority("ca");

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private ServerSocket server;

	@BeforeEach
	void start() throws IOException {
		this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
	}

	@AfterEach
	void stop() throws IOException {
		this.server.close();
		this.threads.shutdownNow();
	}

	@ParameterizedTest
	@CsvSource({ "TLSv1.3, HTTP_1_1", "TLSv1.3, HTTP_2", "TLSv1.2, HTTP_1_1" })
	void alertShouldBeHeard(String version, Protocol protocol) {
		HeldCertificate certificate = TlsServer.signed(this.authority, "server", "localhost");
		SSLSocketFactory tls = new HandshakeCertificates.Builder().heldCertificate(certificate)
			.build()
			.sslContext()
			.getSocketFactory();
		this.threads.execute(() -> serve(tls, version, protocol));
		SoftAssertions softly = new SoftAssertions();
		try (TlsClient client = TlsClient.trusting(TlsClient.inline(this.authority.certificatePem()), null,
				(protocol == Protocol.HTTP_2) ? new Protocol[] { Protocol.HTTP_2, Protocol.HTTP_1_1 }
						: new Protocol[] { Protocol.HTTP_1_1 })) {
			for (int i = 0; i < ATTEMPTS; i++) {
				Failure failure = failure(client);
				softly.assertThat(failure.message()).contains("client certificate");
				if (protocol == Protocol.HTTP_1_1) {
					softly.assertThat(failure.reason())
						.isIn("ClientCertificateRefused", "ClientCertificateRequired", "TlsHandshakeRefused");
				}
			}
		}
		softly.assertAll();
	}

	private Failure failure(TlsClient client) {
		return Failure.of(catchThrowableOfType(IOException.class,
				() -> client.get("https://localhost:" + this.server.getLocalPort())));
	}

	private void serve(SSLSocketFactory tls, String version, Protocol protocol) {
		while (!this.server.isClosed()) {
			try {
				Socket socket = this.server.accept();
				this.threads.execute(() -> refuse(socket, tls, version, protocol));
			}
			catch (IOException ex) {
				// the end of the test
			}
		}
	}

	private static void refuse(Socket socket, SSLSocketFactory tls, String version, Protocol protocol) {
		try (socket) {
			// A reset, as soon as the alert is sent.
			socket.setSoLinger(true, 0);
			SSLSocket secured = (SSLSocket) tls.createSocket(socket, null, 0, false);
			secured.setUseClientMode(false);
			secured.setEnabledProtocols(new String[] { version });
			secured.setNeedClientAuth(true);
			SSLParameters parameters = secured.getSSLParameters();
			parameters.setApplicationProtocols(new String[] { protocol.toString() });
			secured.setSSLParameters(parameters);
			secured.startHandshake();
		}
		catch (IOException ex) {
			// It is the refusal.
		}
	}

}
