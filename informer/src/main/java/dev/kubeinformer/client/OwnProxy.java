package dev.kubeinformer.client;

import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.SocketAddress;

import org.jspecify.annotations.Nullable;

/**
 * Marks the proxy of a client whose sockets are those of the proxy. If a client with such
 * sockets has another proxy, the application has set it.
 */
final class OwnProxy extends Proxy {

	private final boolean direct;

	/**
	 * Creates a mark.
	 * @param address the address of the proxy
	 * @param direct whether the HTTP client must not know of the proxy, because the
	 * sockets do all that it requires
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
