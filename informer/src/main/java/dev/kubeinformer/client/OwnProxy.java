package dev.kubeinformer.client;

import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.SocketAddress;

import org.jspecify.annotations.Nullable;

/**
 * Marks a proxy that comes with its own sockets. If a client has such sockets with
 * another proxy, the application has set that proxy.
 */
final class OwnProxy extends Proxy {

	private final boolean direct;

	/**
	 * Creates a mark.
	 * @param address the address of the proxy
	 * @param direct {@code true} to hide the proxy from the HTTP client because the
	 * sockets do the whole handshake
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
