package dev.kubeinformer.client;

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

import javax.net.ssl.SSLSocketFactory;

import okhttp3.Credentials;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.jspecify.annotations.Nullable;

/**
 * A proxy that speaks HTTP, with CONNECT for TLS, and SOCKS 5, each also over TLS, and
 * notes where it was asked to go.
 */
final class ScriptedProxy implements AutoCloseable {

	private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

	private final List<String> asked = new CopyOnWriteArrayList<>();

	private final List<Socket> open = new CopyOnWriteArrayList<>();

	/** Certificate of the proxy; {@code null} if it does not speak TLS. */
	private final @Nullable HeldCertificate certificate;

	/** User and password with a colon between; {@code null} if anybody may come. */
	private final @Nullable String user;

	private volatile Mood mood = Mood.HELPFUL;

	private volatile int answer;

	private ScriptedProxy(@Nullable HeldCertificate certificate, @Nullable String user) throws IOException {
		this.certificate = certificate;
		this.user = user;
		start(() -> {
			while (true) {
				Socket socket = this.server.accept();
				this.open.add(socket);
				start(() -> serve(socket));
			}
		});
	}

	static ScriptedProxy plain(@Nullable String user) throws IOException {
		return new ScriptedProxy(null, user);
	}

	static ScriptedProxy tls(@Nullable String user) throws IOException {
		return tls("localhost", user);
	}

	static ScriptedProxy tls(String name, @Nullable String user) throws IOException {
		return new ScriptedProxy(new HeldCertificate.Builder().ecdsa256().addSubjectAlternativeName(name).build(),
				user);
	}

	HeldCertificate certificate() {
		if (this.certificate == null) {
			throw new IllegalStateException("no TLS");
		}
		return this.certificate;
	}

	boolean speaksTls() {
		return this.certificate != null;
	}

	int port() {
		return this.server.getLocalPort();
	}

	List<String> asked() {
		return List.copyOf(this.asked);
	}

	int accepted() {
		return this.open.size();
	}

	void become(Mood mood) {
		this.mood = mood;
	}

	/** Answers SOCKS requests with this code. */
	void answer(int code) {
		this.answer = code;
	}

	void dropConnections() throws IOException {
		for (Socket socket : this.open) {
			socket.close();
		}
	}

	private void serve(Socket socket) throws IOException {
		if (this.mood == Mood.SILENT) {
			return;
		}
		if (this.mood == Mood.SLOW) {
			while (true) {
				// Each byte comes in time, the greeting never ends.
				socket.getInputStream().read();
				trickle(socket);
			}
		}
		Socket client = socket;
		if (this.certificate != null) {
			SSLSocketFactory factory = new HandshakeCertificates.Builder().heldCertificate(this.certificate)
				.build()
				.sslContext()
				.getSocketFactory();
			client = factory.createSocket(socket, null, true);
		}
		DataInputStream in = new DataInputStream(client.getInputStream());
		int first = in.read();
		if (this.mood == Mood.SILENT_WHEN_ASKED) {
			return;
		}
		if (first == 5) {
			socks(client, in);
		}
		else if (first > 0) {
			http(client, in, (char) first);
		}
	}

	private static void trickle(Socket socket) throws IOException {
		byte[] hello = { 22, 3, 3, 127, 127 };
		for (int i = 0; true; i++) {
			socket.getOutputStream().write((i < hello.length) ? hello[i] : 0);
			try {
				Thread.sleep(20);
			}
			catch (InterruptedException ex) {
				throw new IOException(ex);
			}
		}
	}

	private void http(Socket client, DataInputStream in, char first) throws IOException {
		Socket server = null;
		while (server == null) {
			String head = first + head(in);
			String[] line = head.substring(0, head.indexOf("\r\n")).split(" ");
			boolean connect = line[0].equals("CONNECT");
			if (this.user != null && !head.contains("Proxy-Authorization: " + basic(this.user) + "\r\n")) {
				this.asked.add("407");
				write(client, "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"p\"\r\nContent-Length: 0\r\n\r\n");
				first = (char) in.read();
				continue;
			}
			URI target = URI.create(connect ? "tcp://" + line[1] : line[1]);
			this.asked.add("%s %s:%d".formatted(connect ? "CONNECT" : "HTTP", target.getHost(), target.getPort()));
			server = connect(target.getHost(), target.getPort());
			if (connect) {
				write(client, "HTTP/1.1 200 OK\r\n\r\n");
			}
			else {
				server.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
			}
		}
		relay(client, in, server);
	}

	private static void write(Socket client, String text) throws IOException {
		client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
	}

	private static String basic(String user) {
		int colon = user.indexOf(':');
		return Credentials.basic(user.substring(0, colon), user.substring(colon + 1), StandardCharsets.UTF_8);
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
		byte[] methods = in.readNBytes(in.readUnsignedByte());
		OutputStream out = client.getOutputStream();
		if (this.user == null) {
			out.write(new byte[] { 5, 0 });
		}
		else if (new String(methods, StandardCharsets.ISO_8859_1).indexOf(2) < 0) {
			this.asked.add("no user");
			out.write(new byte[] { 5, (byte) 0xff });
			return;
		}
		else {
			out.write(new byte[] { 5, 2 });
			in.read();
			String name = new String(in.readNBytes(in.readUnsignedByte()), StandardCharsets.UTF_8);
			String password = new String(in.readNBytes(in.readUnsignedByte()), StandardCharsets.UTF_8);
			boolean right = this.user.equals(name + ":" + password);
			out.write(new byte[] { 1, (byte) (right ? 0 : 1) });
			if (!right) {
				this.asked.add("wrong password");
				return;
			}
		}
		in.skipNBytes(3);
		int kind = in.read();
		byte[] address = in.readNBytes((kind == 3) ? in.readUnsignedByte() : (kind == 1) ? 4 : 16);
		String host = (kind == 3) ? new String(address, StandardCharsets.US_ASCII)
				: InetAddress.getByAddress(address).getHostAddress();
		int port = in.readUnsignedShort();
		this.asked.add("SOCKS%d %s:%d".formatted(kind, host, port));
		if (this.answer != 0) {
			out.write(new byte[] { 5, (byte) this.answer, 0, 1, 0, 0, 0, 0, 0, 0 });
			return;
		}
		Socket server = connect(host, port);
		// A name as bound address, which RFC 1928 allows, too.
		out.write(new byte[] { 5, 0, 0, 3, 2, 'a', 'b', 0, 1 });
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
			byte[] bytes = new byte[8192];
			for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
				out.write(bytes, 0, count);
				out.flush();
			}
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
		}, "scripted-proxy");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() throws IOException {
		this.server.close();
		dropConnections();
	}

	/**
	 * What a proxy does with those who come.
	 */
	enum Mood {

		/** It connects them. */
		HELPFUL,

		/** It never says a word. */
		SILENT,

		/** It greets slowly, and without end. */
		SLOW,

		/** It speaks TLS, but does not answer what it is asked. */
		SILENT_WHEN_ASKED

	}

	private interface Work {

		void run() throws IOException;

	}

}
