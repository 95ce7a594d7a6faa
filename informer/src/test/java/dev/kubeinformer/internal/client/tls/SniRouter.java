package dev.kubeinformer.internal.client.tls;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Router that reads the name in the {@code ClientHello} (RFC 6066), as ingress
 * controllers do that do not end TLS, and forwards all bytes to the server of that name.
 * Where there is none, it says so by the alert {@code unrecognized_name}.
 */
final class SniRouter implements AutoCloseable {

	private static final byte[] UNRECOGNIZED_NAME = { 0x15, 3, 3, 0, 2, 2, 112 };

	private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

	private final Map<String, Integer> ports;

	final List<String> names = new CopyOnWriteArrayList<>();

	SniRouter(Map<String, Integer> ports) throws IOException {
		this.ports = ports;
		thread(this::accept);
	}

	String url() {
		return "https://127.0.0.1:" + this.server.getLocalPort();
	}

	private static void thread(Task task) {
		Thread thread = new Thread(() -> {
			try {
				task.run();
			}
			catch (IOException ex) {
				// A peer has gone, or the test is over.
			}
		}, "sni-router");
		thread.setDaemon(true);
		thread.start();
	}

	private void accept() throws IOException {
		while (true) {
			Socket socket = this.server.accept();
			thread(() -> route(socket));
		}
	}

	private void route(Socket client) throws IOException {
		try (client) {
			DataInputStream in = new DataInputStream(client.getInputStream());
			byte[] head = in.readNBytes(5);
			byte[] hello = in.readNBytes(((head[3] & 0xff) << 8) | (head[4] & 0xff));
			String name = name(ByteBuffer.wrap(hello));
			this.names.add(name);
			Integer port = this.ports.get(name);
			if (port == null) {
				client.getOutputStream().write(UNRECOGNIZED_NAME);
				return;
			}
			try (Socket target = new Socket(InetAddress.getLoopbackAddress(), port)) {
				ByteArrayOutputStream first = new ByteArrayOutputStream();
				first.writeBytes(head);
				first.writeBytes(hello);
				target.getOutputStream().write(first.toByteArray());
				thread(() -> copy(target, client));
				copy(client, target);
			}
		}
	}

	private static void copy(Socket from, Socket to) throws IOException {
		InputStream in = from.getInputStream();
		OutputStream out = to.getOutputStream();
		byte[] buffer = new byte[8192];
		for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
			out.write(buffer, 0, read);
		}
		to.close();
	}

	private static String name(ByteBuffer hello) {
		skip(hello, 4 + 2 + 32);
		skip(hello, hello.get() & 0xff);
		skip(hello, hello.getShort() & 0xffff);
		skip(hello, hello.get() & 0xff);
		hello.getShort();
		while (hello.hasRemaining()) {
			int type = hello.getShort() & 0xffff;
			int length = hello.getShort() & 0xffff;
			if (type == 0) {
				skip(hello, 3);
				byte[] name = new byte[hello.getShort() & 0xffff];
				hello.get(name);
				return new String(name, StandardCharsets.US_ASCII);
			}
			skip(hello, length);
		}
		return "";
	}

	private static void skip(ByteBuffer buffer, int count) {
		buffer.position(buffer.position() + count);
	}

	@Override
	public void close() throws IOException {
		this.server.close();
	}

	/** Action of a thread. */
	private interface Task {

		void run() throws IOException;

	}

}
