package dev.kubeinformer.internal.http;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;

import okhttp3.Authenticator;
import okhttp3.CipherSuite;
import okhttp3.ConnectionSpec;
import okhttp3.CookieJar;
import okhttp3.EventListener;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.TlsVersion;
import okio.AsyncTimeout;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP/1.1 connections to one server for many writes in a row. They exist in addition to
 * the connections of an OkHttp client, and use the TLS settings and socket factory of
 * that client.
 * <p>
 * <b>Problem.</b> With HTTP/2, a separate thread of the connection reads the response to
 * a write and wakes the thread that waits for it. The response also passes through the
 * layers of OkHttp. This takes three times the CPU time of TLS and the kernel.
 * <p>
 * <b>Idea.</b> A worker that writes often uses a connection alone while it writes. A
 * connection is opened only if there are many writes within a second. If there is no
 * connection, if it cannot be opened, or if it breaks before a response, the OkHttp
 * client sends the request. So only that client reports network failures.
 * <p>
 * <b>Invariants.</b>
 * <ul>
 * <li>No connection is opened if the HTTP client uses features that are not supported
 * here: proxies, authenticators, cookies, certificate pins, listeners, network
 * interceptors of an application.</li>
 * <li>There are at most {@link Limits#most()} connections, each for one request at a
 * time.</li>
 * <li>A connection that was idle for {@link Limits#idle()} is closed, before a server or
 * load balancer closes it. A connection of the age {@link Limits#age()} is closed, so
 * that the replicas of the server share the load.</li>
 * </ul>
 * <b>Cost.</b> A request needs neither a lock nor a wake-up of a thread. Safe for use by
 * several threads.
 */
public final class OwnConnections {

	/**
	 * Maximum length of a request body. A longer body may not fit into the buffers of the
	 * socket.
	 */
	static final int LONGEST_BODY = 64 * 1024;

	private static final Logger logger = LoggerFactory.getLogger(OwnConnections.class);

	private static final int SEND_BUFFER = 2 * LONGEST_BODY;

	private static final long WINDOW = TimeUnit.SECONDS.toNanos(1);

	private static final long BLOCKED = TimeUnit.MINUTES.toNanos(1);

	private final OkHttpClient client;

	private final Limits limits;

	private final LongSupplier nanoTime;

	private final Deque<OwnConnection> idle = new ConcurrentLinkedDeque<>();

	private final AtomicInteger open = new AtomicInteger();

	private final AtomicInteger missed = new AtomicInteger();

	private final Sweep sweep;

	/**
	 * URL of the first request. Requests to other servers do not use these connections.
	 */
	private volatile @Nullable HttpUrl server;

	/** IP address to which the last connection was opened. */
	private volatile @Nullable InetAddress reached;

	private volatile long windowStart;

	private volatile long blockedSince;

	private volatile boolean blocked;

	private volatile boolean closed;

	private OwnConnections(OkHttpClient client, Limits limits, LongSupplier nanoTime) {
		this.client = client;
		this.limits = limits;
		this.nanoTime = nanoTime;
		this.windowStart = nanoTime.getAsLong();
		this.sweep = new Sweep(limits.idle());
	}

	/**
	 * Creates the connections, without opening one yet.
	 * @param client the HTTP client whose TLS settings and sockets are used
	 * @param foreign returns whether a network interceptor belongs to the application, so
	 * that all requests must pass it
	 * @param limits the limits
	 * @param nanoTime the monotonic clock
	 * @return the connections; {@code null} if the client uses features that are not
	 * supported here
	 */
	public static @Nullable OwnConnections of(OkHttpClient client, Predicate<Interceptor> foreign, Limits limits,
			LongSupplier nanoTime) {
		Proxy proxy = client.proxy();
		boolean plain = limits.most() > 0 && (proxy == null || proxy.type() == Proxy.Type.DIRECT)
				&& client.protocols().contains(Protocol.HTTP_1_1) && client.authenticator() == Authenticator.NONE
				&& client.cookieJar() == CookieJar.NO_COOKIES && client.cache() == null
				&& client.certificatePinner().getPins().isEmpty() && !isObserved(client)
				&& client.networkInterceptors().stream().noneMatch(foreign);
		return plain ? new OwnConnections(client, limits, nanoTime) : null;
	}

	private static boolean isObserved(OkHttpClient client) {
		Request nothing = new Request.Builder().url("http://localhost/").build();
		return client.eventListenerFactory().create(client.newCall(nothing)) != EventListener.NONE;
	}

	/**
	 * Returns a connection for a request; the caller must {@link #release release} it.
	 * @param url the URL of the request
	 * @param body the body of the request
	 * @param repeatable whether the request may be sent twice
	 * @param user the sender of the request
	 * @return the connection; {@code null} if the HTTP client must send the request
	 */
	public @Nullable OwnConnection take(HttpUrl url, WriteBody body, boolean repeatable, User user) {
		if (this.closed || body.bytes().length > LONGEST_BODY || !isServer(url)) {
			return null;
		}
		long now = this.nanoTime.getAsLong();
		for (OwnConnection found = this.idle.pollFirst(); found != null; found = this.idle.pollFirst()) {
			if (isUsable(found, now, repeatable)) {
				return found;
			}
			discard(found);
		}
		return isWorthwhile(now) ? open(url, now, user) : null;
	}

	private boolean isServer(HttpUrl url) {
		HttpUrl known = this.server;
		if (known == null) {
			this.server = url;
			return true;
		}
		return known.port() == url.port() && known.host().equals(url.host()) && known.scheme().equals(url.scheme());
	}

	// A write that cannot be repeated must not be sent over a connection that the server
	// may have closed.
	private boolean isUsable(OwnConnection connection, long now, boolean repeatable) {
		long idleFor = now - connection.idleSince();
		return idleFor < this.limits.idle().toNanos() && now - connection.openedAt() < this.limits.age().toNanos()
				&& ((repeatable && idleFor < this.limits.trusted().toNanos()) || connection.isAlive());
	}

	// A connection is opened only after several writes within a second found none,
	// because a handshake costs as much as about twenty writes save.
	private boolean isWorthwhile(long now) {
		if (this.blocked && now - this.blockedSince < BLOCKED) {
			return false;
		}
		if (now - this.windowStart > WINDOW) {
			this.windowStart = now;
			this.missed.set(0);
		}
		return this.missed.incrementAndGet() % this.limits.burst() == 0;
	}

	private @Nullable OwnConnection open(HttpUrl url, long now, User user) {
		if (this.open.incrementAndGet() > this.limits.most()) {
			this.open.decrementAndGet();
			return null;
		}
		OwnConnection opened = null;
		try {
			opened = connect(url, user);
			this.blocked = false;
			return opened;
		}
		catch (IOException | RuntimeException ex) {
			logger.debug("No HTTP/1.1 connection for writes could be opened; the HTTP client sends them", ex);
			if (!user.isCancelled()) {
				this.blockedSince = now;
				this.blocked = true;
			}
			return null;
		}
		finally {
			if (opened == null) {
				this.open.decrementAndGet();
			}
		}
	}

	private OwnConnection connect(HttpUrl url, User user) throws IOException {
		if (this.client.proxy() == null) {
			List<Proxy> proxies = this.client.proxySelector().select(url.uri());
			if (proxies != null && proxies.stream().anyMatch((each) -> each.type() != Proxy.Type.DIRECT)) {
				throw new IOException("A proxy is selected");
			}
		}
		IOException failure = new UnknownHostException(url.host());
		for (InetAddress address : addresses(url.host())) {
			Socket raw = this.client.socketFactory().createSocket();
			OpeningLimit limit = new OpeningLimit(raw, this.limits.connecting());
			boolean opened = false;
			limit.enter();
			try {
				user.begin(raw);
				OwnConnection connection = connect(raw, new InetSocketAddress(address, url.port()), url);
				opened = !limit.exit();
				if (opened) {
					this.reached = address;
					return connection;
				}
				failure = new SocketTimeoutException("No connection in time");
			}
			catch (IOException | RuntimeException ex) {
				failure = (ex instanceof IOException io) ? io : new IOException(ex);
			}
			finally {
				limit.exit();
				user.end(raw);
				if (!opened) {
					raw.close();
				}
			}
			if (user.isCancelled()) {
				break;
			}
			if (address.equals(this.reached)) {
				this.reached = null;
			}
		}
		throw failure;
	}

	// First try the address that was reached before, because each unreachable address
	// costs the complete time limit.
	private List<InetAddress> addresses(String host) throws UnknownHostException {
		List<InetAddress> addresses = new ArrayList<>(this.client.dns().lookup(host));
		InetAddress before = this.reached;
		if (before != null && addresses.remove(before)) {
			addresses.add(0, before);
		}
		return addresses;
	}

	private OwnConnection connect(Socket raw, InetSocketAddress address, HttpUrl url) throws IOException {
		int patience = (int) this.limits.connecting().toMillis();
		raw.setTcpNoDelay(true);
		raw.setSendBufferSize(SEND_BUFFER);
		raw.connect(address, patience);
		raw.setSoTimeout(patience);
		return new OwnConnection(raw, url.isHttps() ? secured(raw, url) : raw, this.nanoTime);
	}

	private SSLSocket secured(Socket raw, HttpUrl url) throws IOException {
		SSLSocket socket = (SSLSocket) this.client.sslSocketFactory().createSocket(raw, url.host(), url.port(), true);
		ConnectionSpec spec = this.client.connectionSpecs()
			.stream()
			.filter((each) -> each.isTls() && each.isCompatible(socket))
			.findFirst()
			.orElseThrow(() -> new IOException("No common TLS version"));
		SSLParameters parameters = socket.getSSLParameters();
		List<TlsVersion> versions = spec.tlsVersions();
		if (versions != null) {
			parameters
				.setProtocols(common(parameters.getProtocols(), versions.stream().map(TlsVersion::javaName).toList()));
		}
		List<CipherSuite> suites = spec.cipherSuites();
		if (suites != null) {
			parameters.setCipherSuites(
					common(parameters.getCipherSuites(), suites.stream().map(CipherSuite::javaName).toList()));
		}
		parameters.setApplicationProtocols(new String[] { Protocol.HTTP_1_1.toString() });
		socket.setSSLParameters(parameters);
		socket.startHandshake();
		if (!this.client.hostnameVerifier().verify(url.host(), socket.getSession())) {
			throw new SSLPeerUnverifiedException("The certificate is not for " + url.host());
		}
		return socket;
	}

	private static String[] common(String[] enabled, List<String> wanted) {
		return List.of(enabled).stream().filter(wanted::contains).toArray(String[]::new);
	}

	/**
	 * Puts a connection back after a request. If it cannot be reused, it is closed.
	 * @param connection the connection
	 */
	public void release(OwnConnection connection) {
		if (!connection.isReusable() || this.closed) {
			discard(connection);
			return;
		}
		connection.idle(this.nanoTime.getAsLong());
		this.idle.addFirst(connection);
		this.sweep.begin();
		if (this.closed) {
			close();
		}
	}

	private void discard(OwnConnection connection) {
		connection.close();
		this.open.decrementAndGet();
	}

	/** Closes the idle connections now, and the others when they are released. */
	public void close() {
		this.closed = true;
		for (OwnConnection each = this.idle.pollFirst(); each != null; each = this.idle.pollFirst()) {
			discard(each);
		}
	}

	private void closeIdle() {
		long now = this.nanoTime.getAsLong();
		// The least recently used connection is the last one.
		for (OwnConnection last = this.idle.pollLast(); last != null; last = this.idle.pollLast()) {
			if (now - last.idleSince() < this.limits.idle().toNanos()) {
				this.idle.addLast(last);
				return;
			}
			discard(last);
		}
	}

	/**
	 * Returns the number of connections.
	 * @return the number
	 */
	public int open() {
		return this.open.get();
	}

	/**
	 * Limits for the connections.
	 *
	 * @param most the maximum number of connections; 0 for none
	 * @param burst the number of writes within a second that must find no usable
	 * connection before another one is opened
	 * @param trusted the idle time below which a request that may be sent twice uses a
	 * connection without checking whether the server has closed it. The check takes a
	 * millisecond
	 * @param idle the time after which an unused connection is closed
	 * @param age the age at which a connection is closed
	 * @param connecting the longest time for connecting to one address, including the TLS
	 * handshake
	 */
	public record Limits(int most, int burst, Duration trusted, Duration idle, Duration age, Duration connecting) {

		/** Limits for an API server. */
		public static final Limits USUAL = new Limits(32, 8, Duration.ofSeconds(1), Duration.ofSeconds(10),
				Duration.ofMinutes(5), Duration.ofSeconds(2));

		/**
		 * Returns these limits with another number of connections.
		 * @param number the number
		 * @return the limits
		 */
		public Limits withMost(int number) {
			return new Limits(number, this.burst, this.trusted, this.idle, this.age, this.connecting);
		}

	}

	/** Sender of a request. Another thread may cancel the sender. */
	public interface User {

		/**
		 * Registers a socket or connection before it is used. If the sender is cancelled,
		 * all registered sockets and connections are closed.
		 * @param connection the socket or connection
		 * @throws IOException if the sender was cancelled
		 */
		void begin(Closeable connection) throws IOException;

		/**
		 * Removes a socket or connection that the sender no longer uses.
		 * @param connection the socket or connection
		 */
		void end(Closeable connection);

		/**
		 * Returns whether the sender was cancelled.
		 * @return {@code true} if the sender was cancelled
		 */
		boolean isCancelled();

	}

	/**
	 * Deadline for opening a connection. A timeout of the socket is not sufficient,
	 * because it applies to each read, and a TLS handshake has several.
	 */
	private static final class OpeningLimit extends AsyncTimeout {

		private final Socket raw;

		OpeningLimit(Socket raw, Duration limit) {
			this.raw = raw;
			timeout(limit.toNanos(), TimeUnit.NANOSECONDS);
		}

		@Override
		protected void timedOut() {
			try {
				this.raw.close();
			}
			catch (IOException ex) {
				logger.debug("A connection that was not open in time was not closed cleanly", ex);
			}
		}

	}

	/**
	 * Closes idle connections, on Okio's thread for timeouts, which exists in any case.
	 */
	private final class Sweep extends AsyncTimeout {

		private boolean entered;

		private volatile boolean begun;

		Sweep(Duration idle) {
			timeout(idle.toNanos(), TimeUnit.NANOSECONDS);
		}

		void begin() {
			if (!this.begun) {
				enterOnce();
			}
		}

		private synchronized void enterOnce() {
			if (!this.entered) {
				this.entered = true;
				this.begun = true;
				enter();
			}
		}

		@Override
		protected synchronized void timedOut() {
			exit();
			this.entered = false;
			this.begun = false;
			closeIdle();
			if (OwnConnections.this.open.get() > 0) {
				enterOnce();
			}
		}

	}

}
