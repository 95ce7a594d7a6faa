package dev.kubeinformer.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Socket that performs the handshake with a proxy while it connects. The connect timeout
 * also limits this handshake and all other steps until the connection is established: the
 * response to CONNECT and the TLS handshake with the API server. Without this socket, the
 * HTTP client would apply its read timeout to these steps. When the connection is
 * established, the HTTP client sets the timeout of the socket again.
 */
final class ProxySocket extends Socket {

	private final ProxyHandshake handshake;

	/** Time at which the handshake with the proxy times out; 0 outside the handshake. */
	private long deadline;

	/** Socket of the TLS connection with the proxy; {@code null} without TLS. */
	private volatile @Nullable Socket tls;

	/**
	 * Creates a socket.
	 * @param handshake the handshake with the proxy
	 */
	ProxySocket(ProxyHandshake handshake) {
		// The JVM's own SOCKS proxy must not be used on the way to this proxy.
		super(Proxy.NO_PROXY);
		this.handshake = handshake;
	}

	@Override
	public void connect(SocketAddress endpoint) throws IOException {
		connect(endpoint, 0);
	}

	@Override
	public void connect(SocketAddress endpoint, int timeout) throws IOException {
		int patience = getSoTimeout();
		long start = System.nanoTime();
		reach((InetSocketAddress) endpoint, timeout);
		try {
			if (timeout > 0) {
				this.deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(left(start, timeout));
			}
			this.tls = this.handshake.perform(this, (InetSocketAddress) endpoint);
			this.deadline = 0;
			setSoTimeout(bounded(patience, start, timeout));
		}
		catch (SocketTimeoutException ex) {
			close();
			throw new SocketTimeoutException("The proxy '%s' did not respond within the connect timeout of %d ms"
				.formatted(this.handshake, timeout));
		}
		catch (IOException ex) {
			close();
			throw (ex instanceof ProxyException) ? ex : failure("does not respond", ex);
		}
	}

	private void reach(InetSocketAddress endpoint, int timeout) throws IOException {
		InetSocketAddress proxy = this.handshake.proxy(endpoint);
		try {
			super.connect(proxy, timeout);
		}
		catch (SocketTimeoutException ex) {
			this.handshake.unreachable();
			throw new SocketTimeoutException("The proxy '%s' cannot be reached within the connect timeout of %d ms"
				.formatted(this.handshake, timeout));
		}
		catch (IOException ex) {
			this.handshake.unreachable();
			throw failure("cannot be reached", ex);
		}
	}

	private ProxyException failure(String problem, IOException ex) {
		String reason = (ex.getMessage() != null) ? ex.getMessage() : ex.getClass().getSimpleName();
		return new ProxyException("The proxy '%s' %s: %s".formatted(this.handshake, problem, reason), ex);
	}

	private static int bounded(int patience, long start, int timeout) {
		if (timeout == 0) {
			return patience;
		}
		int left = left(start, timeout);
		return (patience == 0) ? left : Math.min(patience, left);
	}

	private static int left(long start, int timeout) {
		long elapsed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
		// Leave at least half of the timeout to the following steps, which need time if
		// packets are lost.
		return (int) Math.max(timeout - elapsed, (timeout + 1) / 2);
	}

	@Override
	public InputStream getInputStream() throws IOException {
		Socket tls = this.tls;
		return (tls != null) ? tls.getInputStream() : new BoundedInput(super.getInputStream());
	}

	@Override
	public OutputStream getOutputStream() throws IOException {
		Socket tls = this.tls;
		return (tls != null) ? tls.getOutputStream() : super.getOutputStream();
	}

	/**
	 * Input stream that fails at the deadline. A timeout of the socket would not be
	 * sufficient, because a proxy may keep sending single bytes slowly.
	 */
	private final class BoundedInput extends FilterInputStream {

		BoundedInput(InputStream input) {
			super(input);
		}

		@Override
		public int read() throws IOException {
			bound();
			return super.read();
		}

		@Override
		public int read(byte[] bytes, int offset, int length) throws IOException {
			bound();
			return super.read(bytes, offset, length);
		}

		private void bound() throws IOException {
			if (ProxySocket.this.deadline == 0) {
				return;
			}
			long left = TimeUnit.NANOSECONDS.toMillis(ProxySocket.this.deadline - System.nanoTime());
			if (left <= 0) {
				throw new SocketTimeoutException();
			}
			setSoTimeout((int) left);
		}

	}

}
