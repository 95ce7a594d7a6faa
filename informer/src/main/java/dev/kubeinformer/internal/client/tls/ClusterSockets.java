package dev.kubeinformer.internal.client.tls;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the TLS sockets of a client and sets the server name that they send as SNI.
 * When the certificates change, it closes the open sockets. Thread-safe.
 */
final class ClusterSockets extends SSLSocketFactory {

	private static final Logger logger = LoggerFactory.getLogger(ClusterSockets.class);

	private final ReentrantLock lock = new ReentrantLock();

	/** Name that is sent as SNI; {@code null} for the host of the URL. */
	private final @Nullable String serverName;

	private final Runnable preparation;

	private final Supplier<SSLSocketFactory> current;

	/**
	 * Open sockets, below TLS. They are closed instead of the TLS sockets, because
	 * closing a TLS socket may block. Guarded by the lock.
	 */
	private Set<Socket> open = sockets();

	/**
	 * Creates a factory.
	 * @param serverName the name that is sent as SNI; {@code null} for the host of the
	 * URL
	 * @param preparation runs before each new socket, and may be slow
	 * @param current returns the factory that creates the TLS sockets; called under the
	 * lock
	 */
	ClusterSockets(@Nullable String serverName, Runnable preparation, Supplier<SSLSocketFactory> current) {
		this.serverName = serverName;
		this.preparation = preparation;
		this.current = current;
	}

	private static Set<Socket> sockets() {
		return Collections.newSetFromMap(new WeakHashMap<>());
	}

	/**
	 * Exchanges certificates, and closes the sockets that were created before the
	 * exchange.
	 * @param exchange exchanges the certificates and returns {@code true}; {@code false}
	 * if nothing has changed, in which case no socket is closed
	 */
	void cutAfter(BooleanSupplier exchange) {
		List<Socket> old;
		this.lock.lock();
		try {
			if (!exchange.getAsBoolean()) {
				return;
			}
			old = new ArrayList<>(this.open);
			this.open = sockets();
		}
		finally {
			this.lock.unlock();
		}
		old.forEach(ClusterSockets::cut);
	}

	private static void cut(Socket socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			logger.debug("A connection with an old certificate did not close", ex);
		}
	}

	@Override
	public Socket createSocket(Socket socket, String host, int port, boolean autoClose) throws IOException {
		this.preparation.run();
		SSLSocketFactory factory;
		this.lock.lock();
		try {
			factory = this.current.get();
			this.open.removeIf(Socket::isClosed);
			this.open.add(socket);
		}
		finally {
			this.lock.unlock();
		}
		SSLSocket created = (SSLSocket) factory.createSocket(new AttentiveSocket(socket), host, port, autoClose);
		// The JDK never sends a name without a dot, or a name that differs from the host.
		SSLParameters parameters = created.getSSLParameters();
		parameters.setServerNames(ServerNames.sni((this.serverName != null) ? this.serverName : host));
		created.setSSLParameters(parameters);
		return created;
	}

	@Override
	public Socket createSocket(String host, int port) throws IOException {
		return layered(new Socket(host, port), host, port);
	}

	@Override
	public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
		return layered(new Socket(host, port, localHost, localPort), host, port);
	}

	@Override
	public Socket createSocket(InetAddress host, int port) throws IOException {
		return layered(new Socket(host, port), host.getHostAddress(), port);
	}

	@Override
	public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort)
			throws IOException {
		return layered(new Socket(address, port, localAddress, localPort), address.getHostAddress(), port);
	}

	private Socket layered(Socket connected, String host, int port) throws IOException {
		return createSocket(connected, host, port, true);
	}

	@Override
	public String[] getDefaultCipherSuites() {
		return locked().getDefaultCipherSuites();
	}

	@Override
	public String[] getSupportedCipherSuites() {
		return locked().getSupportedCipherSuites();
	}

	private SSLSocketFactory locked() {
		this.lock.lock();
		try {
			return this.current.get();
		}
		finally {
			this.lock.unlock();
		}
	}

}
