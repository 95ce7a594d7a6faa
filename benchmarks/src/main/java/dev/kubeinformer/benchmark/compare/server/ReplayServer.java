package dev.kubeinformer.benchmark.compare.server;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

/**
 * Replays the pods of a cluster to one client at a time, and sends changes of them at any
 * rate: all bytes are encoded before, a change overwrites a few digits. Takes orders at
 * {@code /bench/}. The list in pages, the watch and the streaming list are as Kubernetes
 * has them, in JSON and, if the cluster speaks it, in protobuf.
 */
public final class ReplayServer {

	private static final int BACKLOG = 100;

	private final ReplayedPods pods;

	private final AtomicLong sent = new AtomicLong();

	private volatile Rate rate = new Rate(0, 0);

	private volatile @Nullable ReplayConnection watch;

	private volatile boolean marked;

	private volatile long listed;

	private ReplayServer(ReplayedPods pods) {
		this.pods = pods;
	}

	/**
	 * Serves until its input ends.
	 * @param arguments the kubeconfig of the cluster to read, the number of pods, and the
	 * file to write a kubeconfig of this server to
	 * @throws IOException if the socket fails
	 */
	public static void main(String... arguments) throws IOException {
		ReplayServer server = new ReplayServer(
				new UpstreamPods(Path.of(arguments[0])).read(Integer.parseInt(arguments[1])));
		try (ServerSocket socket = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress())) {
			String url = "http://127.0.0.1:" + socket.getLocalPort();
			Files.writeString(Path.of(arguments[2]), kubeconfig(url));
			System.out.println("READY " + url + " " + server.pods.encodings());
			new Thread(ReplayServer::endWithInput, "input").start();
			while (true) {
				server.serve(socket.accept());
			}
		}
	}

	// So that it does not outlive whoever started it, however that ends.
	private static void endWithInput() {
		try {
			System.in.transferTo(OutputStream.nullOutputStream());
		}
		catch (IOException ex) {
			System.err.println("The input failed: " + ex.getMessage());
		}
		System.exit(0);
	}

	private static String kubeconfig(String url) {
		return """
				apiVersion: v1
				kind: Config
				current-context: replay
				clusters: [{name: replay, cluster: {server: "%s"}}]
				contexts: [{name: replay, context: {cluster: replay, user: replay}}]
				users: [{name: replay, user: {token: none}}]
				""".formatted(url);
	}

	private void serve(Socket socket) throws IOException {
		socket.setTcpNoDelay(true);
		Thread thread = new Thread(new ReplayConnection(this, socket), "connection-" + socket.getPort());
		thread.setDaemon(true);
		thread.start();
	}

	ReplayedPods pods() {
		return this.pods;
	}

	Rate rate() {
		return this.rate;
	}

	/**
	 * An order of a client.
	 * @param path what comes after {@code /bench/}
	 * @param value its parameter
	 * @return the answer
	 */
	String order(String path, String value) {
		return switch (path) {
			case "reset" -> {
				// whatever a client left behind that was ended in the middle of it
				this.rate = new Rate(0, 0);
				this.marked = false;
				this.watch = null;
				this.pods.forget();
				yield "";
			}
			case "rate" -> {
				this.rate = new Rate(Integer.parseInt(value), System.nanoTime());
				yield "";
			}
			case "sent" -> Long.toString(this.sent.get());
			case "last" -> Long.toString(this.pods.last());
			case "watched" -> Boolean.toString(this.watch != null);
			case "listed" -> Long.toString(this.listed);
			case "expire" -> {
				this.pods.expire();
				this.listed = 0;
				this.marked = true;
				this.watch = null;
				yield "";
			}
			default -> throw new IllegalArgumentException("No order " + path);
		};
	}

	/**
	 * A list begins.
	 */
	void listed() {
		if (this.listed == 0) {
			this.listed = System.nanoTime();
		}
	}

	/**
	 * A watch has sent what there was, and goes on with changes.
	 * @param connection the connection
	 * @return whether it begins with a change
	 */
	boolean watch(ReplayConnection connection) {
		this.watch = connection;
		boolean mark = this.marked;
		this.marked = false;
		return mark;
	}

	boolean isWatch(ReplayConnection connection) {
		return this.watch == connection;
	}

	void sent(int changes) {
		this.sent.addAndGet(changes);
	}

	/**
	 * How many changes are sent.
	 *
	 * @param perSecond in a second; 0 for none
	 * @param since {@link System#nanoTime()} of the beginning
	 */
	record Rate(int perSecond, long since) {

		/**
		 * When a change is due.
		 * @param number its number from 0
		 * @return {@link System#nanoTime()} of it
		 */
		long due(long number) {
			return this.since + number * 1_000_000_000L / this.perSecond;
		}

	}

}
