package dev.kubeinformer.client;

import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.SocketAddress;

import org.jspecify.annotations.Nullable;

/**
 * Proxy that this package has set, together with a socket factory. If an HTTP client has
 * the socket factory but a proxy of another class, the application has replaced the
 * proxy.
 */
final class OwnProxy extends Proxy {

	private final boolean direct;

	/**
	 * Creates the proxy.
	 * @param address the address of the proxy
	 * @param direct {@code true} if the sockets do the whole handshake with the proxy, so
	 * that the HTTP client must connect as if there were no proxy; {@code false} if the
	 * HTTP client sends {@code CONNECT}
	 */
	OwnProxy(InetSocketAddress address, boolean direct) {
		super(Type.HTTP, address);
		this.direct = direct;
	}

	@Override
	public Type type() {
		return this.direct ? Type.DIRECT : super.type();
	}

	@Override
	public @Nullable SocketAddress address() {
		return this.direct ? null : super.address();
	}

}
