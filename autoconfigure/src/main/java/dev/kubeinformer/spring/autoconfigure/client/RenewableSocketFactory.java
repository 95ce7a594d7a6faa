package dev.kubeinformer.spring.autoconfigure.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;

import javax.net.ssl.SSLSocketFactory;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An {@link SSLSocketFactory} whose certificates can be exchanged while it is used. The
 * connections that were made with the old ones are cut then: the API server looks at the
 * certificate of a connection with each request, and a watch would keep the connection
 * for ever. Safe for use by several threads.
 */
final class RenewableSocketFactory extends SSLSocketFactory {

	private static final Logger logger = LoggerFactory.getLogger(RenewableSocketFactory.class);

	private final ReentrantLock lock = new ReentrantLock();

	/** Sockets that TLS runs over: closing them never blocks. */
	private Set<Socket> open = sockets();

	private volatile SSLSocketFactory delegate;

	RenewableSocketFactory(SSLSocketFactory delegate) {
		this.delegate = delegate;
	}

	private static Set<Socket> sockets() {
		return Collections.newSetFromMap(new WeakHashMap<>());
	}

	/**
	 * Exchanges the certificates.
	 * @param renewed makes the sockets from now on
	 */
	void renew(SSLSocketFactory renewed) {
		List<Socket> old;
		this.lock.lock();
		try {
			this.delegate = renewed;
			old = new ArrayList<>(this.open);
			this.open = sockets();
		}
		finally {
			this.lock.unlock();
		}
		old.forEach(RenewableSocketFactory::cut);
	}

	private static void cut(Socket socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			logger.debug("A connection with the old certificates did not close", ex);
		}
	}

	@Override
	public Socket createSocket(Socket socket, String host, int port, boolean autoClose) throws IOException {
		SSLSocketFactory current;
		this.lock.lock();
		try {
			current = this.delegate;
			this.open.removeIf(Socket::isClosed);
			this.open.add(socket);
		}
		finally {
			this.lock.unlock();
		}
		return current.createSocket(socket, host, port, autoClose);
	}

	@Override
	public String[] getDefaultCipherSuites() {
		return this.delegate.getDefaultCipherSuites();
	}

	@Override
	public String[] getSupportedCipherSuites() {
		return this.delegate.getSupportedCipherSuites();
	}

	@Override
	public Socket createSocket() throws IOException {
		return this.delegate.createSocket();
	}

	@Override
	public Socket createSocket(String host, int port) throws IOException {
		return this.delegate.createSocket(host, port);
	}

	@Override
	public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
		return this.delegate.createSocket(host, port, localHost, localPort);
	}

	@Override
	public Socket createSocket(InetAddress host, int port) throws IOException {
		return this.delegate.createSocket(host, port);
	}

	@Override
	public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort)
			throws IOException {
		return this.delegate.createSocket(address, port, localAddress, localPort);
	}

}
