package dev.kubeinformer.spring.autoconfigure.client;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
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

import org.jspecify.annotations.Nullable;

/**
 * A proxy that speaks HTTP, with CONNECT for TLS, and SOCKS 5, and notes where it was
 * asked to go.
 */
final class RecordingProxy implements AutoCloseable {

	private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

	private final List<String> asked = new CopyOnWriteArrayList<>();

	private final List<Socket> open = new CopyOnWriteArrayList<>();

	/** What a client must send; {@code null} if anybody may come. */
	private final @Nullable String authorization;

	RecordingProxy(@Nullable String authorization) throws IOException {
		this.authorization = authorization;
		start(() -> {
			while (true) {
				Socket socket = this.server.accept();
				this.open.add(socket);
				start(() -> serve(socket));
			}
		});
	}

	int port() {
		return this.server.getLocalPort();
	}

	List<String> asked() {
		return List.copyOf(this.asked);
	}

	private void serve(Socket client) throws IOException {
		DataInputStream in = new DataInputStream(client.getInputStream());
		int first = in.read();
		if (first == 5) {
			socks(client, in);
		}
		else if (first > 0) {
			http(client, in, (char) first);
		}
	}

	private void http(Socket client, DataInputStream in, char first) throws IOException {
		String head = first + head(in);
		String[] line = head.substring(0, head.indexOf("\r\n")).split(" ");
		boolean connect = line[0].equals("CONNECT");
		if (this.authorization != null && !head.contains("Proxy-Authorization: " + this.authorization + "\r\n")) {
			this.asked.add("407");
			client.getOutputStream().write("""
					HTTP/1.1 407 Proxy Authentication Required\r
					Proxy-Authenticate: Basic realm="proxy"\r
					Content-Length: 0\r
					Connection: close\r
					\r
					""".getBytes(StandardCharsets.US_ASCII));
			client.close();
			return;
		}
		URI target = URI.create(connect ? "tcp://" + line[1] : line[1]);
		this.asked.add("%s %s:%d".formatted(connect ? "CONNECT" : "HTTP", target.getHost(), target.getPort()));
		Socket server = connect(target.getHost(), target.getPort());
		if (connect) {
			client.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
		}
		else {
			server.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
		}
		relay(client, in, server);
	}

	private static String head(InputStream in) throws IOException {
		ByteArrayOutputStream head = new ByteArrayOutputStream();
		while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
			int octet = in.read();
			if (octet < 0) {
				throw new EOFException();
			}
			head.write(octet);
		}
		return head.toString(StandardCharsets.ISO_8859_1);
	}

	private void socks(Socket client, DataInputStream in) throws IOException {
		in.skipNBytes(in.read());
		client.getOutputStream().write(new byte[] { 5, 0 });
		in.skipNBytes(3);
		int length = switch (in.read()) {
			case 1 -> 4;
			case 3 -> in.read();
			default -> 16;
		};
		byte[] address = new byte[length];
		in.readFully(address);
		String host = (address.length == 4) ? InetAddress.getByAddress(address).getHostAddress()
				: new String(address, StandardCharsets.US_ASCII);
		int port = in.readUnsignedShort();
		this.asked.add("SOCKS %s:%d".formatted(host, port));
		Socket server = connect(host, port);
		client.getOutputStream().write(new byte[] { 5, 0, 0, 1, 0, 0, 0, 0, 0, 0 });
		relay(client, in, server);
	}

	private Socket connect(String host, int port) throws IOException {
		Socket server = new Socket(host.equals("api.example.com") ? "127.0.0.1" : host, port);
		this.open.add(server);
		return server;
	}

	private static void relay(Socket client, InputStream in, Socket server) throws IOException {
		start(() -> copy(server.getInputStream(), client.getOutputStream()));
		copy(in, server.getOutputStream());
	}

	private static void copy(InputStream in, OutputStream out) throws IOException {
		try (in; out) {
			in.transferTo(out);
		}
	}

	private static void start(Work work) {
		Thread thread = new Thread(() -> {
			try {
				work.run();
			}
			catch (IOException ex) {
				// A side has hung up, or the test is over.
			}
		}, "recording-proxy");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() throws IOException {
		this.server.close();
		for (Socket socket : this.open) {
			socket.close();
		}
	}

	private interface Work {

		void run() throws IOException;

	}

}
