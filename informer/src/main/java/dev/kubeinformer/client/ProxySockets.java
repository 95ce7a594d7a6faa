package dev.kubeinformer.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

import javax.net.SocketFactory;

/**
 * Factory of sockets that perform the handshake with a proxy while they connect.
 */
final class ProxySockets extends SocketFactory {

	private final ProxyHandshake handshake;

	/**
	 * Creates a factory.
	 * @param handshake the handshake with the proxy
	 */
	ProxySockets(ProxyHandshake handshake) {
		this.handshake = handshake;
	}

	@Override
	public Socket createSocket() {
		return new ProxySocket(this.handshake);
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

	private static Socket connected(Socket socket, InetSocketAddress address) throws IOException {
		try {
			socket.connect(address);
			return socket;
		}
		catch (IOException ex) {
			socket.close();
			throw ex;
		}
	}

}
