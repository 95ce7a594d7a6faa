package dev.kubeinformer.test.internal.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;

import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP server on a loopback port: HTTP/1.1 and HTTP/2, with or without TLS.
 */
public final class HttpServer implements AutoCloseable {

	private static final String LOOPBACK = "127.0.0.1";

	private static final int THREADS = 200;

	private static final int MIN_THREADS = 8;

	private static final int IDLE_MILLIS = 60_000;

	// Watches may be idle for a long time, and an idle timeout would cut them.
	static final long NO_IDLE_TIMEOUT = 0;

	private final Server server;

	private final ServerConnector connector;

	private final Set<Socket> accepted;

	private final @Nullable Certificates certificates;

	private final JettyLogging logging;

	private @Nullable Socket placeholder;

	private boolean closed;

	private HttpServer(Server server, ServerConnector connector, Set<Socket> accepted,
			@Nullable Certificates certificates, JettyLogging logging) {
		this.certificates = certificates;
		this.logging = logging;
		this.server = server;
		this.connector = connector;
		this.accepted = accepted;
	}

	/**
	 * Creates a server that is not started yet.
	 * @param name the name of the threads
	 * @param port the port, 0 for a free one
	 * @param certificates the certificates for TLS, or {@code null} for none
	 * @return the server
	 */
	public static HttpServer of(String name, int port, @Nullable Certificates certificates) {
		JettyLogging logging = new JettyLogging();
		logging.limit();
		// Jetty's default queue uses the management classes of the JVM. Loading them
		// takes longer than all other steps of the start.
		QueuedThreadPool threads = new QueuedThreadPool(THREADS, MIN_THREADS, IDLE_MILLIS, new LinkedBlockingQueue<>());
		threads.setName(name);
		threads.setDaemon(true);
		Server server = new Server(threads);
		server.setStopTimeout(0);
		HttpConfiguration configuration = new HttpConfiguration();
		configuration.setSendServerVersion(false);
		// A thread in accept() keeps the port open for a moment after a stop; without one
		// the port can be bound again as soon as stop returns.
		Set<Socket> accepted = ConcurrentHashMap.newKeySet();
		ServerConnector connector = new ServerConnector(server, 0, 1, HttpProtocols.of(configuration, certificates)) {

			@Override
			protected void configure(Socket socket) {
				super.configure(socket);
				accepted.removeIf(Socket::isClosed);
				accepted.add(socket);
			}

		};
		connector.setHost(LOOPBACK);
		connector.setPort(port);
		connector.setIdleTimeout(NO_IDLE_TIMEOUT);
		server.addConnector(connector);
		return new HttpServer(server, connector, accepted, certificates, logging);
	}

	/**
	 * Starts the server.
	 * @param handler the handler of requests
	 * @return this
	 */
	public HttpServer start(Handler handler) {
		this.server.setHandler(handler);
		perform(this.server::start);
		// Use the same port after every pause.
		this.connector.setPort(this.connector.getLocalPort());
		return this;
	}

	public int port() {
		return this.connector.getPort();
	}

	public String url() {
		return ((this.certificates != null) ? "https" : "http") + "://" + LOOPBACK + ":" + port();
	}

	// The certificates for TLS, or null for none.
	public @Nullable Certificates certificates() {
		return this.certificates;
	}

	// Executor of tasks that do not belong to a request. It ends with the server.
	public Executor executor() {
		return this.server.getThreadPool();
	}

	/**
	 * Closes the port and all connections. New connections are refused, and no other
	 * process can get the port.
	 */
	public synchronized void pause() {
		dropConnections();
		perform(this.connector::stop);
		// Jetty does not close a connection that it accepts while the connector stops.
		perform(this::closeAccepted);
		if (!this.closed && this.placeholder == null) {
			perform(this::keepPort);
		}
	}

	// Binds the port without listening. Otherwise another server could get this port as a
	// free one, and respond to our clients.
	private void keepPort() throws IOException {
		Socket socket = new Socket();
		try {
			socket.setReuseAddress(true);
			socket.bind(new InetSocketAddress(LOOPBACK, port()));
			// The option was needed to bind the port in spite of closed connections. From
			// now on, it would let other processes listen on the port.
			socket.setReuseAddress(false);
			this.placeholder = socket;
		}
		finally {
			if (this.placeholder == null) {
				socket.close();
			}
		}
	}

	private void releasePort() throws IOException {
		Socket socket = this.placeholder;
		this.placeholder = null;
		if (socket != null) {
			socket.close();
		}
	}

	private void closeAccepted() throws IOException {
		for (Socket socket : this.accepted) {
			socket.close();
		}
		this.accepted.clear();
	}

	/**
	 * Opens the port again.
	 * @throws IllegalStateException if the server was closed
	 */
	public synchronized void resume() {
		if (this.closed) {
			throw new IllegalStateException("The HTTP server is closed");
		}
		perform(this::releasePort);
		perform(this.connector::start);
	}

	public void dropConnections() {
		List.copyOf(this.connector.getConnectedEndPoints()).forEach(EndPoint::close);
	}

	/**
	 * Asks HTTP/2 clients to send further requests over other connections (GOAWAY).
	 */
	public void goAway() {
		for (EndPoint endPoint : this.connector.getConnectedEndPoints()) {
			if (endPoint.getConnection() instanceof HTTP2Connection connection) {
				connection.getSession().shutdown();
			}
		}
	}

	@Override
	public synchronized void close() {
		this.closed = true;
		dropConnections();
		perform(this.server::stop);
		perform(this::releasePort);
		// As after a pause, a connection may be accepted during the stop.
		perform(this::closeAccepted);
	}

	private void perform(Step step) {
		this.logging.limit();
		try {
			step.run();
		}
		catch (RuntimeException ex) {
			throw ex;
		}
		catch (Exception ex) {
			throw new IllegalStateException("The HTTP server failed", ex);
		}
	}

	/**
	 * Step of the server's lifecycle.
	 */
	@FunctionalInterface
	private interface Step {

		void run() throws Exception;

	}

}
