package dev.kubeinformer.client.table;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

import org.jspecify.annotations.Nullable;

/**
 * A proxy that speaks HTTP, with CONNECT for TLS, and SOCKS 5. It is reached by TLS if it
 * has a certificate. The host {@code api.cluster.test} is this machine to it.
 */
final class ForwardingProxy implements Closeable {

	private final ServerSocket listener;

	private final List<Socket> open = new CopyOnWriteArrayList<>();

	private final @Nullable String authorization;

	private final @Nullable SSLContext tls;

	private final Contacts contacts;

	ForwardingProxy(@Nullable String authorization, @Nullable SSLContext tls, Contacts contacts) throws IOException {
		this.listener = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
		this.authorization = authorization;
		this.tls = tls;
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
		Socket client = connection;
		if (this.tls != null) {
			SSLSocket secured = (SSLSocket) this.tls.getSocketFactory().createSocket(connection, null, true);
			secured.setUseClientMode(false);
			secured.startHandshake();
			client = secured;
		}
		try (Socket closed = client) {
			BufferedInputStream in = new BufferedInputStream(closed.getInputStream());
			in.mark(1);
			int first = in.read();
			in.reset();
			if (first == 5) {
				socks(closed, new DataInputStream(in));
			}
			else {
				http(closed, in);
			}
		}
	}

	private void http(Socket client, InputStream in) throws IOException {
		HttpHead head = HttpHead.read(in);
		if (head == null) {
			return;
		}
		if (this.authorization != null && !head.all("Proxy-Authorization").contains(this.authorization)) {
			client.getOutputStream().write("""
					HTTP/1.1 407 Proxy Authentication Required\r
					Proxy-Authenticate: Basic realm="proxy"\r
					Content-Length: 0\r
					Connection: close\r
					\r
					""".getBytes(StandardCharsets.US_ASCII));
			return;
		}
		boolean connect = head.method().equals("CONNECT");
		URI target = URI.create(connect ? "tcp://" + head.path() : head.path());
		this.contacts.passed((this.tls != null) ? "HTTPS" : "HTTP");
		Socket server = connect(target.getHost(), target.getPort());
		if (connect) {
			client.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
		}
		else {
			String origin = target.getScheme() + "://" + target.getRawAuthority();
			server.getOutputStream()
				.write(head.text().replaceFirst(Pattern.quote(origin), "").getBytes(StandardCharsets.ISO_8859_1));
		}
		relay(client, in, server);
	}

	private void socks(Socket client, DataInputStream in) throws IOException {
		in.skipNBytes(1);
		byte[] methods = new byte[in.read()];
		in.readFully(methods);
		client.getOutputStream().write(new byte[] { 5, 0 });
		in.skipNBytes(3);
		int length = switch (in.read()) {
			case 1 -> 4;
			case 3 -> in.read();
			default -> 16;
		};
		byte[] address = new byte[length];
		in.readFully(address);
		String host = (length == 4) ? InetAddress.getByAddress(address).getHostAddress()
				: new String(address, StandardCharsets.US_ASCII);
		int port = in.readUnsignedShort();
		this.contacts.passed("SOCKS");
		Socket server = connect(host, port);
		client.getOutputStream().write(new byte[] { 5, 0, 0, 1, 0, 0, 0, 0, 0, 0 });
		relay(client, in, server);
	}

	private Socket connect(String host, int port) throws IOException {
		Socket server = new Socket(host.equals("api.cluster.test") ? "127.0.0.1" : host, port);
		this.open.add(server);
		return server;
	}

	private static void relay(Socket client, InputStream in, Socket server) throws IOException {
		Daemons.start(() -> copy(server.getInputStream(), client.getOutputStream()));
		copy(in, server.getOutputStream());
	}

	private static void copy(InputStream in, OutputStream out) throws IOException {
		try (in; out) {
			byte[] buffer = new byte[8192];
			for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
				out.write(buffer, 0, count);
				out.flush();
			}
		}
	}

	@Override
	public void close() throws IOException {
		this.listener.close();
		for (Socket socket : this.open) {
			socket.close();
		}
	}

}
