package dev.kubeinformer.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

import org.jspecify.annotations.Nullable;

/**
 * How a socket reaches a proxy and agrees with it. The text form is the URL of the proxy
 * without user and password.
 */
interface ProxyHandshake {

	/**
	 * Returns where the socket connects to.
	 * @param endpoint where the HTTP client wants it to connect to
	 * @return the address of the proxy
	 * @throws IOException if the proxy's name cannot be resolved
	 */
	InetSocketAddress proxy(InetSocketAddress endpoint) throws IOException;

	/**
	 * Is called when the address of the proxy cannot be reached.
	 */
	default void unreachable() {
	}

	/**
	 * Agrees with the proxy.
	 * @param socket the socket, connected to the proxy
	 * @param endpoint where the HTTP client wants it to connect to
	 * @return the socket whose streams replace those of the connected one; {@code null}
	 * for its own streams
	 * @throws IOException if the proxy refuses; the message shows no password
	 */
	@Nullable Socket perform(Socket socket, InetSocketAddress endpoint) throws IOException;

}
