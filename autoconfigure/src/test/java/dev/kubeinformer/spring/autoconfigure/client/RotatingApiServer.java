package dev.kubeinformer.spring.autoconfigure.client;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.VersionApi;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;

import static org.awaitility.Awaitility.await;

/**
 * A kube-apiserver of its own, whose serving certificate and its authority can be
 * exchanged, and which trusts client certificates of an authority of the test.
 */
final class RotatingApiServer implements AutoCloseable {

	/** The system property that names the program that runs an API server. */
	static final String PROGRAM = "cluster.program";

	private static final Duration START = Duration.ofSeconds(60);

	private final HeldCertificate clientAuthority = authority("clients");

	private final Path folder;

	private final int port;

	private final Process process;

	private final ApiClient admin;

	private HeldCertificate servingAuthority;

	private HeldCertificate serving;

	RotatingApiServer(Path folder) throws IOException {
		this.folder = folder;
		this.port = freePort();
		this.servingAuthority = authority("serving");
		this.serving = certificate(this.servingAuthority);
		write("clients.pem", this.clientAuthority.certificatePem());
		write("serving.pem", this.serving.certificatePem());
		write("serving.key", this.serving.privateKeyPkcs8Pem());
		this.process = new ProcessBuilder(System.getProperty(PROGRAM), "up", "-kubeconfig",
				folder.resolve("admin.yaml").toString(), "-dir", folder.resolve("data").toString(), "-port",
				String.valueOf(this.port), "-args",
				"--client-ca-file=%s --tls-cert-file=%s --tls-private-key-file=%s".formatted(
						folder.resolve("clients.pem"), folder.resolve("serving.pem"), folder.resolve("serving.key")))
			.redirectErrorStream(true)
			.redirectOutput(new File(folder.toFile(), "server.log"))
			.start();
		this.admin = new ApiClient().setBasePath("https://127.0.0.1:" + this.port).setVerifyingSsl(false);
		this.admin.addDefaultHeader("Authorization", "Bearer admin-token");
		await().atMost(START).ignoreException(ApiException.class).until(() -> {
			new VersionApi(this.admin).getCode().execute();
			return true;
		});
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

	private static HeldCertificate authority(String name) {
		return new HeldCertificate.Builder().certificateAuthority(0)
			.commonName(name)
			.duration(1, TimeUnit.DAYS)
			.build();
	}

	private static HeldCertificate certificate(HeldCertificate authority) {
		return new HeldCertificate.Builder().signedBy(authority)
			.commonName("kube-apiserver")
			.addSubjectAlternativeName("127.0.0.1")
			.build();
	}

	int port() {
		return this.port;
	}

	ApiClient admin() {
		return this.admin;
	}

	String authority() {
		return this.servingAuthority.certificatePem();
	}

	HeldCertificate client(String user, Duration life) {
		long now = System.currentTimeMillis();
		return new HeldCertificate.Builder().signedBy(this.clientAuthority)
			.commonName(user)
			// Tolerates that the clocks of both processes are read in another order.
			.validityInterval(now - 1000, now + life.toMillis())
			.build();
	}

	/**
	 * Makes the authority and the certificate that come next. The server does not use
	 * them yet.
	 * @return the certificate of the authority, in PEM
	 */
	String nextAuthority() {
		this.servingAuthority = authority("serving");
		this.serving = certificate(this.servingAuthority);
		return this.servingAuthority.certificatePem();
	}

	/**
	 * Has the server use the next certificate, and waits until it does.
	 */
	void serveNext() throws Exception {
		write("serving.key", this.serving.privateKeyPkcs8Pem());
		write("serving.pem", this.serving.certificatePem());
		await().atMost(START).ignoreException(SSLException.class).until(() -> {
			handshake();
			return true;
		});
	}

	private void handshake() throws IOException {
		SSLSocketFactory sockets = new HandshakeCertificates.Builder()
			.addTrustedCertificate(this.servingAuthority.certificate())
			.build()
			.sslSocketFactory();
		try (Socket plain = new Socket("127.0.0.1", this.port);
				SSLSocket socket = (SSLSocket) sockets.createSocket(plain, "127.0.0.1", this.port, true)) {
			socket.startHandshake();
		}
	}

	private void write(String name, String text) throws IOException {
		replace(this.folder.resolve(name), text);
	}

	/**
	 * Replaces a file at once.
	 * @param file the file
	 * @param text its content
	 */
	static void replace(Path file, String text) throws IOException {
		Path next = Files.writeString(file.resolveSibling(file.getFileName() + ".next"), text);
		Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
	}

	@Override
	public void close() {
		this.process.destroy();
		try {
			if (!this.process.waitFor(20, TimeUnit.SECONDS)) {
				this.process.destroyForcibly();
			}
		}
		catch (InterruptedException ex) {
			this.process.destroyForcibly();
			Thread.currentThread().interrupt();
		}
	}

}
