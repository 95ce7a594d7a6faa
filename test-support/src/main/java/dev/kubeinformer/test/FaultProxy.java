package dev.kubeinformer.test;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.proxy.ProxiedConnection;
import dev.kubeinformer.test.internal.proxy.ProxyGate;
import dev.kubeinformer.test.internal.proxy.ProxyListener;
import dev.kubeinformer.test.internal.proxy.ProxyThrottle;

/**
 * TCP proxy on a loopback port in front of any host, for network faults: it can cut,
 * reset, refuse, hang, half-close or slow down connections. Thread-safe. {@link #close()}
 * ends all its threads.
 */
public final class FaultProxy implements Closeable {

	private final InetSocketAddress target;

	private final InetSocketAddress address;

	private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();

	// Connections whose threads may still run, although the connection may have ended.
	// close() waits for these threads.
	private final Set<ProxiedConnection> started = ConcurrentHashMap.newKeySet();

	private final AtomicInteger accepted = new AtomicInteger();

	private final AtomicLong bytesRead = new AtomicLong();

	private final ProxyThrottle throttle = new ProxyThrottle();

	private volatile ProxyGate gate = new ProxyGate();

	private volatile boolean cut;

	private volatile boolean hanging;

	// The fields below are guarded by this.

	private ProxyListener listener;

	private @Nullable Socket reservation;

	private boolean closed;

	private FaultProxy(InetSocketAddress target) throws IOException {
		this.target = target;
		this.listener = new ProxyListener(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), this::connect);
		this.address = this.listener.address();
	}

	/**
	 * Starts a proxy on a free port.
	 * @param host the host to forward bytes to
	 * @param port the port to forward bytes to
	 * @return the proxy, to be closed by the caller
	 */
	public static FaultProxy to(String host, int port) {
		try {
			FaultProxy proxy = new FaultProxy(new InetSocketAddress(host, port));
			proxy.listener.start();
			return proxy;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Returns the port of the proxy.
	 * @return the port on 127.0.0.1
	 */
	public int port() {
		return this.address.getPort();
	}

	/**
	 * Closes all open connections. Until {@link #restore()}, new connections are accepted
	 * and immediately closed.
	 */
	public void cut() {
		this.cut = true;
		this.connections.forEach(ProxiedConnection::close);
	}

	/**
	 * Closes all open connections. New ones are accepted.
	 */
	public void dropConnections() {
		List.copyOf(this.connections).forEach(ProxiedConnection::close);
	}

	/**
	 * Closes all open connections with a reset (RST). New ones are accepted.
	 */
	public void resetConnections() {
		List.copyOf(this.connections).forEach(ProxiedConnection::reset);
	}

	/**
	 * Closes the direction from the target to the client of each open connection. Data of
	 * clients still reaches the target. New connections are accepted.
	 */
	public void halfCloseConnections() {
		List.copyOf(this.connections).forEach(ProxiedConnection::halfClose);
	}

	/**
	 * Refuses new connections, as if no process listened on the port, until
	 * {@link #restore()}. Open connections are not affected.
	 */
	public synchronized void refuse() {
		if (this.closed || this.reservation != null) {
			return;
		}
		try {
			this.listener.close();
			Socket reserved = new Socket();
			this.reservation = reserved;
			// A bound port without a listener refuses connections and is not assigned to
			// another process.
			reserved.setReuseAddress(true);
			reserved.bind(this.address);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Accepts new connections and never sends anything on them, so that a TLS handshake
	 * hangs, until {@link #restore()}. Open connections are not affected; connections
	 * accepted in this state never receive anything.
	 */
	public void hang() {
		this.hanging = true;
	}

	/**
	 * Accepts connections again, and forwards their bytes: ends {@link #cut()},
	 * {@link #refuse()} and {@link #hang()}.
	 */
	public synchronized void restore() {
		this.cut = false;
		this.hanging = false;
		Socket reserved = this.reservation;
		if (reserved == null || this.closed) {
			return;
		}
		try {
			reserved.close();
			this.listener = new ProxyListener(this.address, this::connect);
			this.listener.start();
			this.reservation = null;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Forwards bytes slowly until {@link #unthrottle()}. The rate applies to each
	 * direction of each open and new connection.
	 * @param bytesPerSecond the rate
	 * @throws IllegalArgumentException if the rate is not positive
	 */
	public void throttle(int bytesPerSecond) {
		if (bytesPerSecond <= 0) {
			throw new IllegalArgumentException("Rate '%d' must be positive".formatted(bytesPerSecond));
		}
		this.throttle.rate(bytesPerSecond);
	}

	/**
	 * Forwards bytes without delay again.
	 */
	public void unthrottle() {
		this.throttle.rate(0);
	}

	/**
	 * Holds all bytes in both directions until {@link #thaw()}; all sockets stay open,
	 * new ones are accepted, and neither side receives a FIN or RST.
	 */
	public void freeze() {
		this.gate.close();
	}

	/**
	 * Forwards bytes again, beginning with the held ones.
	 */
	public void thaw() {
		this.gate.open();
	}

	/**
	 * Stops forwarding bytes of the currently open connections without sending a FIN or
	 * RST to either side, like a firewall that has lost their state. New connections are
	 * forwarded. The abandoned connections count as open until {@link #cut()}.
	 */
	public void abandon() {
		ProxyGate old = this.gate;
		this.gate = new ProxyGate();
		old.close();
	}

	/**
	 * Discards all further bytes of the currently open connections in both directions. If
	 * the target closes a connection, the client does not notice. Unlike
	 * {@link #abandon()}, the proxy reads the bytes, so senders never block, and it
	 * notices when a client closes. New connections are forwarded.
	 */
	public void swallow() {
		this.connections.forEach(ProxiedConnection::swallow);
	}

	/**
	 * Returns the number of open connections.
	 * @return the number of connections from clients
	 */
	public int connections() {
		return this.connections.size();
	}

	/**
	 * Returns the number of connections accepted since the start, including connections
	 * that were closed at once.
	 * @return the number of connections
	 */
	public int accepted() {
		return this.accepted.get();
	}

	/**
	 * Returns the number of bytes that the target has sent to clients since the start.
	 * @return the number of bytes
	 */
	public long bytesRead() {
		return this.bytesRead.get();
	}

	/**
	 * Closes the port and all connections, and waits for the end of all threads.
	 */
	@Override
	public void close() {
		cut();
		closeListener();
		this.connections.forEach(ProxiedConnection::close);
		this.started.forEach(ProxiedConnection::join);
	}

	private synchronized void closeListener() {
		this.closed = true;
		try {
			this.listener.close();
			if (this.reservation != null) {
				this.reservation.close();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void connect(Socket client) throws IOException {
		this.accepted.incrementAndGet();
		if (this.cut) {
			client.close();
			return;
		}
		ProxiedConnection connection = new ProxiedConnection(client, this.gate, this.throttle, this.bytesRead,
				this.connections::remove);
		this.connections.add(connection);
		this.started.removeIf(ProxiedConnection::isOver);
		this.started.add(connection);
		if (this.hanging) {
			connection.hang();
		}
		else {
			connection.start(this.target);
		}
		if (this.cut) {
			connection.close();
		}
	}

}
