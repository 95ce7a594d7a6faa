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
 * rate: all bytes are encoded before, and a change overwrites a few digits. Accepts
 * commands at {@code /bench/}. Supports paged lists, watches and streaming lists like
 * Kubernetes, in JSON and, if the cluster supports it, in protobuf.
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
	 * path for a kubeconfig of this server
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

	// The process must not outlive its parent, however that ends.
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
	 * Executes a command of a client.
	 * @param path the path after {@code /bench/}
	 * @param value the parameter of the command
	 * @return the response
	 */
	String order(String path, String value) {
		return switch (path) {
			case "reset" -> {
				// A client may have ended during its run.
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

	/** Notes that a list begins. */
	void listed() {
		if (this.listed == 0) {
			this.listed = System.nanoTime();
		}
	}

	/**
	 * Notes that a watch has sent the initial objects and continues with changes.
	 * @param connection the connection
	 * @return {@code true} if it begins with a change
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
	 * Rate of changes.
	 *
	 * @param perSecond the number of changes a second; 0 for none
	 * @param since the value of {@link System#nanoTime()} at the beginning
	 */
	record Rate(int perSecond, long since) {

		/**
		 * Returns the time at which a change is due.
		 * @param number the number of the change, from 0
		 * @return the value of {@link System#nanoTime()}
		 */
		long due(long number) {
			return this.since + number * 1_000_000_000L / this.perSecond;
		}

	}

}
