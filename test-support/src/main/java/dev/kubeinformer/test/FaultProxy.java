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
 * TCP proxy on a loopback port in front of any host, for network faults: connections that
 * are cut, reset, refused, hung, half-open or slow. It may be used by several threads,
 * and leaves no thread behind when it is closed.
 */
public final class FaultProxy implements Closeable {

	private final InetSocketAddress target;

	private final InetSocketAddress address;

	private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();

	// Those that have ended may still have a thread for a moment.
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
	 * @param host the host to pass the bytes to
	 * @param port the port to pass the bytes to
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
	 * Closes all connections, and new ones as soon as they are accepted, until
	 * {@link #restore()}.
	 */
	public void cut() {
		this.cut = true;
		this.connections.forEach(ProxiedConnection::close);
	}

	/**
	 * Closes all connections there are. New ones are accepted.
	 */
	public void dropConnections() {
		List.copyOf(this.connections).forEach(ProxiedConnection::close);
	}

	/**
	 * Closes all connections there are by a reset (RST). New ones are accepted.
	 */
	public void resetConnections() {
		List.copyOf(this.connections).forEach(ProxiedConnection::reset);
	}

	/**
	 * Ends the stream to the client of each connection there is, without closing the
	 * connection: what clients send still reaches the target. New ones are accepted.
	 */
	public void halfCloseConnections() {
		List.copyOf(this.connections).forEach(ProxiedConnection::halfClose);
	}

	/**
	 * Refuses new connections, as where no process listens, until {@link #restore()}.
	 * Open ones are left alone.
	 */
	public synchronized void refuse() {
		if (this.closed || this.reservation != null) {
			return;
		}
		try {
			this.listener.close();
			Socket reserved = new Socket();
			this.reservation = reserved;
			// A port that is bound, but not listened on, refuses and is given to nobody
			// else.
			reserved.setReuseAddress(true);
			reserved.bind(this.address);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Accepts new connections and never answers them, so that a TLS handshake hangs,
	 * until {@link #restore()}. Open ones are left alone; those that were accepted
	 * meanwhile stay without an answer until either side closes them.
	 */
	public void hang() {
		this.hanging = true;
	}

	/**
	 * Accepts connections again, and passes their bytes: the end of {@link #cut()},
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
	 * Passes bytes slowly until {@link #unthrottle()}. The rate holds for each direction
	 * of each connection, open ones and new ones.
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
	 * Passes bytes as fast as they come again.
	 */
	public void unthrottle() {
		this.throttle.rate(0);
	}

	/**
	 * Passes no byte in either direction until {@link #thaw()}; all sockets stay open,
	 * new ones are accepted, and neither side gets a FIN or RST.
	 */
	public void freeze() {
		this.gate.close();
	}

	/**
	 * Passes bytes again, beginning with those that were held back.
	 */
	public void thaw() {
		this.gate.open();
	}

	/**
	 * Passes no further byte of the connections that are open now, and sends neither side
	 * a FIN or RST, as a firewall that has lost their state. New connections are passed.
	 * The abandoned ones count as open until they are cut.
	 */
	public void abandon() {
		ProxyGate old = this.gate;
		this.gate = new ProxyGate();
		old.close();
	}

	/**
	 * Lets all further bytes of the connections that are open now vanish, in both
	 * directions, and keeps the end of the target from the client. Unlike with
	 * {@link #abandon()} they are read, so that senders are never held up, and a client
	 * that closes is noticed. New connections are passed.
	 */
	public void swallow() {
		this.connections.forEach(ProxiedConnection::swallow);
	}

	/**
	 * Returns how many connections are open.
	 * @return the number of connections from clients
	 */
	public int connections() {
		return this.connections.size();
	}

	/**
	 * Returns how many connections were accepted since the start, those included that
	 * were closed at once.
	 * @return the number of connections
	 */
	public int accepted() {
		return this.accepted.get();
	}

	/**
	 * Returns how many bytes the target has sent to clients since the start.
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
