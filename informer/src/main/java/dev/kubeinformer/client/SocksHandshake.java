package dev.kubeinformer.client;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.IDN;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import okhttp3.Dns;
import org.jspecify.annotations.Nullable;

/**
 * Handshake of SOCKS 5 (RFC 1928) with user and password (RFC 1929). The JVM's own
 * implementation is not used because its global authenticator supports only one user for
 * all SOCKS proxies. The proxy resolves the name of the API server, as for kubectl.
 */
final class SocksHandshake implements ProxyHandshake {

	/** Default port of SOCKS (RFC 1928, section 3). */
	static final int PORT = 1080;

	/**
	 * DNS for the HTTP client that returns placeholder addresses, because the proxy
	 * resolves the names. The addresses are of class E (RFC 1112), which is not routed.
	 * Different names get different addresses, because otherwise OkHttp could use one
	 * HTTP/2 connection for several names.
	 */
	static final Dns PLACEHOLDERS = (name) -> List.of(InetAddress.getByAddress(name,
			ByteBuffer.allocate(4).putInt(0xF000_0000 | (name.hashCode() & 0x0FFF_FFFF)).array()));

	/** Maximum length of a name, user or password, because one byte holds the length. */
	private static final int LONGEST = 255;

	private static final int VERSION = 5;

	private static final int NO_AUTHENTICATION = 0;

	private static final int USER_AND_PASSWORD = 2;

	private static final int IPV4 = 1;

	private static final int NAME = 3;

	private static final int IPV6 = 4;

	/**
	 * Messages for the codes of a response (RFC 1928, section 6). The index is the code.
	 */
	private static final List<String> ANSWERS = List.of("success", "general failure of the proxy",
			"its rules do not allow the connection", "network unreachable", "host unreachable", "connection refused",
			"TTL expired", "command not supported", "address type not supported");

	private final String host;

	private final int port;

	private final @Nullable ProxyUser user;

	private final String shown;

	/**
	 * Number of failed attempts to connect. The next attempt uses the next address of the
	 * proxy.
	 */
	private final AtomicInteger failures = new AtomicInteger();

	/**
	 * Creates a handshake.
	 * @param host the host of the proxy
	 * @param port its port
	 * @param user the user; {@code null} for none
	 * @param shown the URL of the proxy, for messages
	 */
	SocksHandshake(String host, int port, @Nullable ProxyUser user, String shown) {
		this.host = host;
		this.port = port;
		this.user = user;
		this.shown = shown;
	}

	@Override
	public InetSocketAddress proxy(InetSocketAddress endpoint) throws IOException {
		try {
			InetAddress[] addresses = InetAddress.getAllByName(this.host);
			return new InetSocketAddress(addresses[Math.floorMod(this.failures.get(), addresses.length)], this.port);
		}
		catch (UnknownHostException ex) {
			throw new ProxyException("The proxy '%s' cannot be reached: its host is unknown".formatted(this), ex);
		}
	}

	@Override
	public void unreachable() {
		this.failures.incrementAndGet();
	}

	@Override
	public @Nullable Socket perform(Socket socket, InetSocketAddress endpoint) throws IOException {
		DataInputStream in = new DataInputStream(socket.getInputStream());
		OutputStream out = socket.getOutputStream();
		try {
			authenticate(in, out);
			connect(in, out, endpoint);
		}
		catch (EOFException ex) {
			throw new ProxyException(
					"The proxy '%s' closed the connection; check that it speaks SOCKS 5".formatted(this), ex);
		}
		return null;
	}

	private void authenticate(DataInputStream in, OutputStream out) throws IOException {
		ProxyUser user = this.user;
		out.write((user != null) ? new byte[] { VERSION, 2, NO_AUTHENTICATION, USER_AND_PASSWORD }
				: new byte[] { VERSION, 1, NO_AUTHENTICATION });
		requireVersion(in.readUnsignedByte());
		int method = in.readUnsignedByte();
		if (method == NO_AUTHENTICATION) {
			return;
		}
		if (method != USER_AND_PASSWORD || user == null) {
			throw new ProxyException(
					(user != null) ? "The proxy '%s' accepts neither user and password nor none".formatted(this)
							: "The proxy '%s' requires a user and a password; add them to its URL".formatted(this));
		}
		byte[] name = user.name().getBytes(StandardCharsets.UTF_8);
		byte[] password = user.password().getBytes(StandardCharsets.UTF_8);
		if (name.length == 0 || name.length > LONGEST || password.length > LONGEST) {
			throw new ProxyException(("The proxy '%s' requires a user of 1 to 255 bytes and a password of up to 255; "
					+ "change them in its URL")
				.formatted(this));
		}
		ByteArrayOutputStream request = new ByteArrayOutputStream();
		request.write(1);
		write(request, name);
		write(request, password);
		out.write(request.toByteArray());
		in.readUnsignedByte();
		if (in.readUnsignedByte() != 0) {
			throw new ProxyException(
					"The proxy '%s' rejects the user and the password in its URL; correct them".formatted(this));
		}
	}

	private void connect(DataInputStream in, OutputStream out, InetSocketAddress target) throws IOException {
		ByteArrayOutputStream request = new ByteArrayOutputStream();
		request.writeBytes(new byte[] { VERSION, 1, 0 });
		String host = target.getHostString();
		byte[] address = NoProxy.address(host);
		if (address != null) {
			request.write((address.length == 4) ? IPV4 : IPV6);
			request.writeBytes(address);
		}
		else {
			request.write(NAME);
			write(request, IDN.toASCII(host).getBytes(StandardCharsets.US_ASCII));
		}
		request.write(target.getPort() >> 8);
		request.write(target.getPort());
		out.write(request.toByteArray());
		requireVersion(in.readUnsignedByte());
		int answer = in.readUnsignedByte();
		if (answer != 0) {
			throw new ProxyException("The proxy '%s' cannot connect to '%s:%d': %s (SOCKS response %d)".formatted(this,
					host, target.getPort(), (answer < ANSWERS.size()) ? ANSWERS.get(answer) : "unknown", answer));
		}
		in.skipNBytes(1);
		int length = switch (in.readUnsignedByte()) {
			case IPV4 -> 4;
			case NAME -> in.readUnsignedByte();
			case IPV6 -> 16;
			default -> throw new ProxyException("The proxy '%s' does not speak SOCKS 5 correctly".formatted(this));
		};
		// Skip the address and port that the proxy uses for the connection.
		in.skipNBytes(length + 2);
	}

	private void requireVersion(int version) throws ProxyException {
		if (version != VERSION) {
			throw new ProxyException("The proxy '%s' does not speak SOCKS 5".formatted(this));
		}
	}

	private void write(ByteArrayOutputStream request, byte[] text) throws ProxyException {
		if (text.length > LONGEST) {
			throw new ProxyException("The name of the API server is too long for the proxy '%s'".formatted(this));
		}
		request.write(text.length);
		request.writeBytes(text);
	}

	@Override
	public String toString() {
		return this.shown;
	}

}
