package dev.kubeinformer.internal.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;

import javax.net.SocketFactory;

/**
 * Creates sockets whose connect timeout also limits the TLS handshake and the wait for
 * the response of a proxy. OkHttp would wait for these as long as for the body of a
 * response, which may take minutes for a watch. When the connection is established,
 * OkHttp sets the read timeout of the socket again.
 */
public final class ConnectingSockets extends SocketFactory {

	@Override
	public Socket createSocket() {
		return new ConnectingSocket();
	}

	@Override
	public Socket createSocket(String host, int port) throws IOException {
		return connected(createSocket(), new InetSocketAddress(host, port));
	}

	@Override
	public Socket createSocket(InetAddress address, int port) throws IOException {
		return connected(createSocket(), new InetSocketAddress(address, port));
	}

	@Override
	public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
		return connected(bound(localHost, localPort), new InetSocketAddress(host, port));
	}

	@Override
	public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort)
			throws IOException {
		return connected(bound(localAddress, localPort), new InetSocketAddress(address, port));
	}

	private Socket bound(InetAddress address, int port) throws IOException {
		Socket socket = createSocket();
		socket.bind(new InetSocketAddress(address, port));
		return socket;
	}

	private static Socket connected(Socket socket, SocketAddress address) throws IOException {
		try {
			socket.connect(address);
			return socket;
		}
		catch (IOException ex) {
			socket.close();
			throw ex;
		}
	}

	private static final class ConnectingSocket extends Socket {

		@Override
		public void connect(SocketAddress endpoint, int timeout) throws IOException {
			long start = System.nanoTime();
			super.connect(endpoint, timeout);
			if (timeout > 0) {
				long elapsed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
				// If packets are lost, connecting takes long. The handshake needs its
				// time even then.
				int left = (int) Math.max(timeout - elapsed, (timeout + 1) / 2);
				int patience = getSoTimeout();
				setSoTimeout((patience == 0) ? left : Math.min(patience, left));
			}
		}

	}

}
