package dev.kubeinformer.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

import org.jspecify.annotations.Nullable;

/**
 * Handshake of a socket with a proxy, after which the socket leads to the API server.
 * {@link #toString()} returns the URL of the proxy without user and password.
 */
interface ProxyHandshake {

	/**
	 * Returns the address that the socket connects to.
	 * @param endpoint the address that the HTTP client wants to connect to
	 * @return the address of the proxy
	 * @throws IOException if the proxy's name cannot be resolved
	 */
	InetSocketAddress proxy(InetSocketAddress endpoint) throws IOException;

	/**
	 * Called when the address of the proxy cannot be reached.
	 */
	default void unreachable() {
	}

	/**
	 * Performs the handshake.
	 * @param socket the socket, connected to the proxy
	 * @param endpoint the address that the HTTP client wants to connect to
	 * @return the socket whose streams must be used from now on; {@code null} to use the
	 * streams of the connected socket
	 * @throws IOException if the proxy rejects the connection; the message does not show
	 * the password
	 */
	@Nullable Socket perform(Socket socket, InetSocketAddress endpoint) throws IOException;

}
