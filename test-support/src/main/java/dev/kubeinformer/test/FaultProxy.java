package dev.kubeinformer.test;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A TCP proxy on a loopback port in front of any host, for network faults: connections
 * that are cut, refused, or half-open. It may be used by several threads, and leaves no
 * thread behind when it is closed.
 */
public final class FaultProxy implements Closeable {

	private static final int BACKLOG = 128;

	private final InetSocketAddress target;

	private final ServerSocket socket;

	private final Thread acceptor;

	private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();

	// those that have ended may still have a thread for a moment
	private final Set<ProxiedConnection> started = ConcurrentHashMap.newKeySet();

	private final AtomicInteger accepted = new AtomicInteger();

	private final AtomicLong bytesRead = new AtomicLong();

	private volatile ProxyGate gate = new ProxyGate();

	private volatile boolean cut;

	private FaultProxy(InetSocketAddress target, ServerSocket socket) {
		this.target = target;
		this.socket = socket;
		this.acceptor = new Thread(this::accept, "fault-proxy-" + socket.getLocalPort());
		this.acceptor.setDaemon(true);
	}

	/**
	 * Start a proxy on a free port.
	 * @param host the host to pass the bytes to
	 * @param port the port to pass the bytes to
	 * @return the proxy, to be closed by the caller
	 */
	public static FaultProxy to(String host, int port) {
		try {
			ServerSocket socket = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
			FaultProxy proxy = new FaultProxy(new InetSocketAddress(host, port), socket);
			proxy.acceptor.start();
			return proxy;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return the port of the proxy.
	 * @return the port on 127.0.0.1
	 */
	public int port() {
		return this.socket.getLocalPort();
	}

	/**
	 * Close all connections, and new ones as soon as they are accepted, until
	 * {@link #restore()}.
	 */
	public void cut() {
		this.cut = true;
		this.connections.forEach(ProxiedConnection::close);
	}

	/**
	 * Close all connections there are. New ones are accepted.
	 */
	public void dropConnections() {
		List.copyOf(this.connections).forEach(ProxiedConnection::close);
	}

	/**
	 * Accept connections again.
	 */
	public void restore() {
		this.cut = false;
	}

	/**
	 * Pass no byte in either direction until {@link #thaw()}; all sockets stay open, new
	 * ones are accepted, and neither side is told.
	 */
	public void freeze() {
		this.gate.close();
	}

	/**
	 * Pass bytes again, beginning with those that were held back.
	 */
	public void thaw() {
		this.gate.open();
	}

	/**
	 * Pass no byte of the connections that are open now any more, and tell neither side,
	 * as a firewall does that has forgotten them. New connections are passed. The
	 * abandoned ones count as open until they are cut.
	 */
	public void abandon() {
		ProxyGate old = this.gate;
		this.gate = new ProxyGate();
		old.close();
	}

	/**
	 * Return how many connections are open.
	 * @return the number of connections from clients
	 */
	public int connections() {
		return this.connections.size();
	}

	/**
	 * Return how many connections were accepted since the start, those included that were
	 * closed at once.
	 * @return the number of connections
	 */
	public int accepted() {
		return this.accepted.get();
	}

	/**
	 * Return how many bytes the target has sent to clients since the start.
	 * @return the number of bytes
	 */
	public long bytesRead() {
		return this.bytesRead.get();
	}

	/**
	 * Close the port and all connections, and wait for the end of all threads.
	 */
	@Override
	public void close() {
		cut();
		try {
			this.socket.close();
			this.acceptor.join();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.connections.forEach(ProxiedConnection::close);
		this.started.forEach(ProxiedConnection::join);
	}

	private void accept() {
		while (!this.socket.isClosed()) {
			try {
				connect(this.socket.accept());
			}
			catch (IOException ex) {
				// the port was closed, or one client has failed
			}
		}
	}

	private void connect(Socket client) throws IOException {
		this.accepted.incrementAndGet();
		if (this.cut) {
			client.close();
			return;
		}
		ProxiedConnection connection = new ProxiedConnection(client, new Socket(), this.gate, this.bytesRead,
				this.connections::remove);
		this.connections.add(connection);
		this.started.removeIf(ProxiedConnection::isOver);
		this.started.add(connection);
		connection.start(this.target);
		if (this.cut) {
			connection.close();
		}
	}

}
