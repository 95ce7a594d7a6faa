package dev.kubeinformer.internal.transport;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Server of HTTP/2 without TLS that answers each request with status 200 and JSON, and
 * then sends one frame again and again.
 */
final class RawHttp2Server implements Closeable {

	private static final int PREFACE = 24;

	private static final int HEADERS = 1;

	private static final int SETTINGS = 4;

	private static final int PING = 6;

	private static final int END_HEADERS = 4;

	private static final int ACKNOWLEDGED = 1;

	private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

	final AtomicLong frames = new AtomicLong();

	final AtomicInteger open = new AtomicInteger();

	private final Frame frame;

	RawHttp2Server(Frame frame) throws IOException {
		this.frame = frame;
		thread(this::accept);
	}

	String url() {
		return "http://127.0.0.1:" + this.server.getLocalPort();
	}

	private static void thread(Task task) {
		Thread thread = new Thread(() -> {
			try {
				task.run();
			}
			catch (IOException ex) {
				// The client has gone, or the test is over.
			}
		}, "raw-http2-server");
		thread.setDaemon(true);
		thread.start();
	}

	private void accept() throws IOException {
		while (true) {
			Socket socket = this.server.accept();
			thread(() -> serve(socket));
		}
	}

	private void serve(Socket socket) throws IOException {
		this.open.incrementAndGet();
		try (socket) {
			DataInputStream in = new DataInputStream(socket.getInputStream());
			OutputStream out = new BufferedOutputStream(socket.getOutputStream());
			in.skipNBytes(PREFACE);
			write(out, SETTINGS, 0, 0, new byte[0]);
			while (true) {
				int head = in.readInt();
				int flags = in.readByte();
				int stream = in.readInt();
				byte[] content = in.readNBytes(head >>> 8);
				int type = head & 0xff;
				if (type == SETTINGS && flags != ACKNOWLEDGED) {
					write(out, SETTINGS, ACKNOWLEDGED, 0, new byte[0]);
				}
				else if (type == PING && flags != ACKNOWLEDGED) {
					// It is alive: the client does not give it up.
					write(out, PING, ACKNOWLEDGED, 0, content);
				}
				else if (type == HEADERS) {
					write(out, HEADERS, END_HEADERS, stream, headers());
					thread(() -> flood(socket, out, stream));
				}
			}
		}
		finally {
			this.open.decrementAndGet();
		}
	}

	private void flood(Socket socket, OutputStream out, int stream) throws IOException {
		try {
			while (!socket.isClosed()) {
				write(out, this.frame.type, 0, this.frame.ofStream ? stream : 0, this.frame.payload);
				this.frames.incrementAndGet();
			}
		}
		catch (SocketException ex) {
			socket.close();
		}
	}

	private static byte[] headers() {
		byte[] json = "application/json".getBytes(StandardCharsets.US_ASCII);
		// RFC 7541: ":status: 200" of the static table, then "content-type" of it with a
		// literal value.
		return ByteBuffer.allocate(4 + json.length)
			.put((byte) 0x88)
			.put((byte) 0x0f)
			.put((byte) 0x10)
			.put((byte) json.length)
			.put(json)
			.array();
	}

	private static void write(OutputStream out, int type, int flags, int stream, byte[] payload) throws IOException {
		byte[] bytes = ByteBuffer.allocate(9 + payload.length)
			.putInt(payload.length << 8 | type)
			.put((byte) flags)
			.putInt(stream)
			.put(payload)
			.array();
		synchronized (out) {
			out.write(bytes);
			out.flush();
		}
	}

	@Override
	public void close() throws IOException {
		this.server.close();
	}

	/** Frame that the server repeats. */
	enum Frame {

		EMPTY_DATA(0, true, 0), PINGS(PING, false, 8), SETTINGS_AGAIN(SETTINGS, false, 0);

		private final int type;

		private final boolean ofStream;

		private final byte[] payload;

		Frame(int type, boolean ofStream, int length) {
			this.type = type;
			this.ofStream = ofStream;
			this.payload = new byte[length];
		}

	}

	private interface Task {

		void run() throws IOException;

	}

}
