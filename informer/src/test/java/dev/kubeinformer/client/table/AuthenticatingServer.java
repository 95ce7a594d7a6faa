package dev.kubeinformer.client.table;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

import org.jspecify.annotations.Nullable;

/**
 * A server that authenticates as kube-apiserver does, and tells a client who it is. It
 * notes connections and answers.
 */
final class AuthenticatingServer implements Closeable {

	private static final String REVIEWS = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

	/** The first byte of a handshake (RFC 8446, 5.1). */
	private static final byte HANDSHAKE = 22;

	/** The paths below which it is reached, as through a Rancher. */
	private static final Set<String> PREFIXES = Set.of("", "/k8s/clusters/c-x7", "/k8s/clusters/c%20x");

	private final ServerSocket listener;

	private final @Nullable SSLContext tls;

	private final ServerOptions options;

	private final Authentication authentication;

	private final Contacts contacts;

	private final List<Socket> open = new CopyOnWriteArrayList<>();

	AuthenticatingServer(InetAddress address, @Nullable SSLContext tls, ServerOptions options,
			Authentication authentication, Contacts contacts) throws IOException {
		this.listener = new ServerSocket(0, 50, address);
		this.tls = tls;
		this.options = options;
		this.authentication = authentication;
		this.contacts = contacts;
		Daemons.start(() -> {
			while (true) {
				Socket socket = this.listener.accept();
				this.contacts.connected();
				this.open.add(socket);
				Daemons.start(() -> serve(socket));
			}
		});
	}

	int port() {
		return this.listener.getLocalPort();
	}

	private void serve(Socket connection) throws IOException {
		connection.setSoTimeout(30_000);
		connection.setTcpNoDelay(true);
		try (Socket socket = secured(connection)) {
			String serverName = serverName(socket);
			InputStream in = new BufferedInputStream(socket.getInputStream());
			in.mark(1);
			int first = in.read();
			in.reset();
			if (first >= 0 && !Character.isLetter(first)) {
				refuse(socket, "");
				return;
			}
			while (answer(in, socket, serverName)) {
				// The connection stays for the next request.
			}
		}
		catch (SSLException ex) {
			// Read the remaining bytes; otherwise the client receives a reset instead of
			// the alert.
			connection.shutdownOutput();
			connection.getInputStream().transferTo(OutputStream.nullOutputStream());
		}
		finally {
			connection.close();
			this.open.remove(connection);
		}
	}

	private static void refuse(Socket socket, String text) throws IOException {
		socket.getOutputStream()
			.write("HTTP/1.0 400 Bad Request\r\n\r\n%s\n".formatted(text).getBytes(StandardCharsets.US_ASCII));
		socket.close();
	}

	private Socket secured(Socket connection) throws IOException {
		if (this.tls == null) {
			return connection;
		}
		int first = connection.getInputStream().read();
		if (first != HANDSHAKE) {
			// As the server of Go answers.
			refuse(connection, "Client sent an HTTP request to an HTTPS server.");
			throw new IOException("no TLS");
		}
		SSLSocket socket = (SSLSocket) this.tls.getSocketFactory()
			.createSocket(connection, new ByteArrayInputStream(new byte[] { HANDSHAKE }), false);
		if (this.options.needsCertificate()) {
			socket.setNeedClientAuth(true);
		}
		else {
			socket.setWantClientAuth(true);
		}
		if (!this.options.protocols().isEmpty()) {
			socket.setEnabledProtocols(this.options.protocols().toArray(String[]::new));
		}
		socket.startHandshake();
		return socket;
	}

	private static @Nullable String serverName(Socket socket) {
		if (socket instanceof SSLSocket secured && secured.getSession() instanceof ExtendedSSLSession session) {
			return session.getRequestedServerNames()
				.stream()
				.filter(SNIHostName.class::isInstance)
				.map((name) -> ((SNIHostName) name).getAsciiName())
				.findFirst()
				.orElse(null);
		}
		return null;
	}

	private boolean answer(InputStream in, Socket socket, @Nullable String serverName) throws IOException {
		HttpHead head = HttpHead.read(in);
		if (head == null) {
			return false;
		}
		head.skipBody(in);
		Authentication.Result result = this.authentication.of(head, socket);
		int status = (result.status() != 200) ? result.status() : status(head, result);
		String body = (status == 200) ? body(head.path(), result) : failure(status, result);
		this.contacts.answered(new Contacts.Answer(status, result.toString(), serverName));
		byte[] content = body.getBytes(StandardCharsets.UTF_8);
		OutputStream out = socket.getOutputStream();
		out.write("HTTP/1.1 %d Said\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
			.formatted(status, content.length)
			.getBytes(StandardCharsets.US_ASCII));
		out.write(content);
		out.flush();
		return true;
	}

	private static int status(HttpHead head, Authentication.Result result) {
		String path = URI.create(head.path()).getRawPath();
		if (PREFIXES.stream()
			.noneMatch((prefix) -> path.equals(prefix + REVIEWS) || path.equals(prefix + "/version"))) {
			return 404;
		}
		// As the roles that each cluster comes with have it.
		return (path.endsWith(REVIEWS) && result.isAnonymous()) ? 403 : 200;
	}

	private static String body(String path, Authentication.Result result) {
		if (path.endsWith("/version")) {
			return """
					{ "major": "1", "minor": "36", "gitVersion": "v1.36.3", "gitCommit": "", "gitTreeState": "",
					  "buildDate": "", "goVersion": "", "compiler": "", "platform": "" }""";
		}
		return """
				{ "kind": "SelfSubjectReview", "apiVersion": "authentication.k8s.io/v1",
				  "metadata": { "creationTimestamp": null }, "status": { "userInfo": %s } }""".formatted(result.json());
	}

	private static String failure(int status, Authentication.Result result) {
		String reason = switch (status) {
			case 401 -> "Unauthorized";
			case 403 -> "Forbidden";
			case 404 -> "NotFound";
			default -> "InternalError";
		};
		String message = switch (status) {
			case 401 -> "Unauthorized";
			case 403 -> "selfsubjectreviews.authentication.k8s.io is forbidden: User \\\"%s\\\" cannot create resource"
				.formatted(result.name());
			case 404 -> "the server could not find the requested resource";
			default -> "Internal error occurred: requesting groups without impersonating a user";
		};
		return """
				{ "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": "%s",
				  "reason": "%s", "code": %d }""".formatted(message, reason, status);
	}

	@Override
	public void close() throws IOException {
		this.listener.close();
		for (Socket socket : this.open) {
			socket.close();
		}
	}

	/**
	 * Requirements of a server.
	 *
	 * @param protocols the versions of TLS; empty for those of the JDK
	 * @param needsCertificate whether clients without a certificate are rejected
	 */
	record ServerOptions(List<String> protocols, boolean needsCertificate) {

		static ServerOptions usual() {
			return new ServerOptions(List.of(), false);
		}

	}

}
