package dev.kubeinformer.benchmark;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Sockets of a server with hardly any overhead: the part of HTTP/1.1 that our client
 * needs, a thread for each connection, and commands on the standard input.
 */
public final class RawServer {

	private final Answer answer;

	private RawServer(Answer answer) {
		this.answer = answer;
	}

	/**
	 * Serves until the standard input ends; the first line of output is the port.
	 * @param answer writes the responses
	 * @param commands receives the lines of input
	 * @throws IOException if the server cannot start
	 */
	public static void run(Answer answer, Consumer<String> commands) throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
			RawServer server = new RawServer(answer);
			background("acceptor", () -> server.accept(socket));
			System.out.println(socket.getLocalPort());
			BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
			for (String line = input.readLine(); line != null; line = input.readLine()) {
				commands.accept(line);
			}
		}
	}

	private static void background(String name, Runnable task) {
		Thread thread = new Thread(task, name);
		thread.setDaemon(true);
		thread.start();
	}

	private void accept(ServerSocket server) {
		while (!server.isClosed()) {
			try {
				Socket socket = server.accept();
				socket.setTcpNoDelay(true);
				background("connection", () -> serve(socket));
			}
			catch (IOException ex) {
				return;
			}
		}
	}

	private void serve(Socket socket) {
		try (socket; InputStream input = new BufferedInputStream(socket.getInputStream())) {
			OutputStream output = new BufferedOutputStream(socket.getOutputStream(), 64 * 1024);
			for (String request = request(input); request != null; request = request(input)) {
				this.answer.write(request, output);
				output.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
				output.flush();
			}
		}
		catch (IOException | InterruptedException ex) {
			// The client has closed the connection.
		}
	}

	private static @Nullable String request(InputStream input) throws IOException {
		StringBuilder head = new StringBuilder();
		while (head.length() < 4 || !head.substring(head.length() - 4).equals("\r\n\r\n")) {
			int next = input.read();
			if (next < 0) {
				return null;
			}
			head.append((char) next);
		}
		return head.substring(0, head.indexOf("\r\n"));
	}

	/**
	 * Writes a chunk of a body.
	 * @param output the stream to write to
	 * @param bytes the array with the bytes
	 * @param from the index of the first byte
	 * @param length the number of bytes, at least one
	 * @throws IOException if the client has closed the connection
	 */
	public static void chunk(OutputStream output, byte[] bytes, int from, int length) throws IOException {
		output.write((Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
		output.write(bytes, from, length);
		output.write('\r');
		output.write('\n');
	}

	/** Writes responses. */
	@FunctionalInterface
	public interface Answer {

		/**
		 * Writes the head of a response and the chunks of its body, except for the last,
		 * empty one.
		 * @param request the first line of the request
		 * @param output the stream to write to
		 * @throws IOException if the client has closed the connection
		 * @throws InterruptedException if the server ends
		 */
		void write(String request, OutputStream output) throws IOException, InterruptedException;

	}

}
