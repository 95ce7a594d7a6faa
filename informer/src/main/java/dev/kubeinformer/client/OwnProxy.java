package dev.kubeinformer.client;

import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.SocketAddress;

import org.jspecify.annotations.Nullable;

/**
 * Proxy that this package has set, together with its own socket factory. If an HTTP
 * client has such a socket factory and a proxy of another class, the application has
 * replaced the proxy.
 */
final class OwnProxy extends Proxy {

	private final boolean direct;

	/**
	 * Creates the proxy.
	 * @param address the address of the proxy
	 * @param direct {@code true} to make the HTTP client connect as if there were no
	 * proxy, because the sockets do the whole handshake with it
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
