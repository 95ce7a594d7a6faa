package dev.kubeinformer.client;

import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.util.Locale;
import java.util.function.UnaryOperator;

import javax.net.SocketFactory;
import javax.net.ssl.X509TrustManager;

import okhttp3.Dns;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Proxy for the connections to an API server, with the same options as in kubectl:
 * {@code http} and {@code https} with {@code CONNECT}, and {@code socks5}, each with or
 * without user and password. {@link #toString()} returns the URL without user and
 * password.
 */
final class ProxySettings {

	private static final Logger logger = LoggerFactory.getLogger(ProxySettings.class);

	private final String scheme;

	private final String host;

	private final int port;

	private final @Nullable ProxyUser user;

	private final String shown;

	/**
	 * Name of the origin of the proxy in messages, for example an environment variable;
	 * empty if the configuration sets the proxy.
	 */
	private final String origin;

	private ProxySettings(String scheme, String host, int port, @Nullable ProxyUser user, String origin) {
		this.scheme = scheme;
		this.host = host;
		this.port = port;
		this.user = user;
		this.shown = "%s://%s:%d".formatted(scheme, host.contains(":") ? "[" + host + "]" : host, port);
		this.origin = origin;
	}

	/**
	 * Parses the URL of a proxy.
	 * @param url the URL, such as {@code http://user:password@host:3128}
	 * @return the proxy
	 * @throws IllegalArgumentException if the URL is not usable; the message is the rule,
	 * as the end of a sentence, and does not quote the URL
	 */
	static ProxySettings parse(String url) {
		return parse(url, "");
	}

	private static ProxySettings parse(String text, String origin) {
		int end = text.indexOf("://");
		String scheme = (end > 0) ? text.substring(0, end).toLowerCase(Locale.ROOT) : "";
		boolean socks = scheme.equals("socks5") || scheme.equals("socks5h");
		if (!socks && !scheme.equals("http") && !scheme.equals("https")) {
			throw new IllegalArgumentException("must be a URL that begins with http://, https:// or socks5://");
		}
		HttpUrl url = url((socks ? "http" : scheme) + text.substring(end));
		if (url == null) {
			throw new IllegalArgumentException("must be a URL with scheme and host, such as 'http://10.0.0.1:3128'");
		}
		ProxyUser user = (url.username().isEmpty() && url.password().isEmpty()) ? null
				: new ProxyUser(url.username(), url.password());
		boolean defaultPort = socks && url.port() != HttpUrl.get("https" + text.substring(end)).port();
		return new ProxySettings(scheme, url.host(), defaultPort ? SocksHandshake.PORT : url.port(), user, origin);
	}

	private static @Nullable HttpUrl url(String text) {
		return text.chars().noneMatch((character) -> character <= ' ') ? HttpUrl.parse(text) : null;
	}

	/**
	 * Returns the proxy for a server if the configuration does not set one. If proxies
	 * are configured for the JVM, with system properties or a {@link ProxySelector}, the
	 * HTTP client uses those. Otherwise the environment variables {@code HTTPS_PROXY} and
	 * {@code NO_PROXY} decide, as in kubectl. For URLs without TLS, {@code HTTP_PROXY} is
	 * read instead of {@code HTTPS_PROXY}. The names of the variables may be in lower
	 * case. A value that is not a valid proxy URL is logged and ignored.
	 * @param server the URL of the API server
	 * @param environment returns the value of an environment variable; {@code null} if
	 * the variable is not set
	 * @param level the level for logging an ignored value
	 * @return the proxy; {@code null} if the environment sets none for the server
	 */
	static @Nullable ProxySettings forServer(String server, UnaryOperator<@Nullable String> environment, Level level) {
		return forServer(server, environment, JvmProxies.system(), level);
	}

	static @Nullable ProxySettings forServer(String server, UnaryOperator<@Nullable String> environment, JvmProxies jvm,
			Level level) {
		HttpUrl url = url(server);
		if (url == null || jvm.decide(url.scheme())) {
			return null;
		}
		String name = url.isHttps() ? "HTTPS_PROXY" : "HTTP_PROXY";
		String noProxy = value("NO_PROXY", environment);
		if (value(name, environment).isEmpty() || new NoProxy(noProxy).includes(url.host(), url.port())) {
			return null;
		}
		String set = isSet(name, environment) ? name : name.toLowerCase(Locale.ROOT);
		try {
			return parse(httpUnlessKnown(value(name, environment).strip()), "environment variable '" + set + "'");
		}
		catch (IllegalArgumentException ex) {
			logger.atLevel(level)
				.log("Ignored the environment variable '{}', as kubectl does, because it {}; correct or remove it", set,
						ex.getMessage());
			return null;
		}
	}

	private static String httpUnlessKnown(String text) {
		// Go accepts this in variables only: parseProxy of httpproxy, dialConn of
		// net/http.
		if (!text.contains("://")) {
			return "http://" + text;
		}
		return text.matches("(?i)(https?|socks5h?)://.*") ? text : text.replaceFirst("^.*?://", "http://");
	}

	private static String value(String name, UnaryOperator<@Nullable String> environment) {
		String value = environment.apply(isSet(name, environment) ? name : name.toLowerCase(Locale.ROOT));
		return (value != null) ? value : "";
	}

	private static boolean isSet(String name, UnaryOperator<@Nullable String> environment) {
		String value = environment.apply(name);
		return value != null && !value.isEmpty();
	}

	/**
	 * Connects a client through the proxy. For {@code https} and {@code socks5} the
	 * client gets sockets that do the handshake with the proxy. The connect timeout of
	 * the client also limits this handshake.
	 * @param builder the builder of the client
	 * @param authorities the trust manager for the API server, which may also verify the
	 * certificate of the proxy; {@code null} to accept only the JVM's authorities
	 */
	void apply(OkHttpClient.Builder builder, @Nullable X509TrustManager authorities) {
		InetSocketAddress address = InetSocketAddress.createUnresolved(this.host, this.port);
		if (this.scheme.startsWith("socks")) {
			SocksHandshake handshake = new SocksHandshake(this.host, this.port, this.user, this.shown);
			builder.proxy(new OwnProxy(address, true))
				.dns(SocksHandshake.PLACEHOLDERS)
				.socketFactory(new ProxySockets(handshake));
			return;
		}
		boolean tls = this.scheme.equals("https");
		Proxy proxy = tls ? new OwnProxy(address, false) : new Proxy(Proxy.Type.HTTP, address);
		ProxyLogin login = new ProxyLogin(proxy, this.user, this.shown);
		builder.proxy(proxy).proxyAuthenticator(login).addNetworkInterceptor(login);
		if (tls) {
			builder.socketFactory(new ProxySockets(new TlsHandshake(this.host, this.port, this.shown, authorities)));
		}
	}

	/**
	 * Cleans up a copy of a client. If the application has changed or removed the proxy
	 * in the copy, the socket factory and the DNS that {@link #apply} had set for the
	 * previous proxy are removed.
	 * @param client the copy
	 * @return the cleaned copy; the same client if there is nothing to remove
	 */
	static OkHttpClient withoutFormer(OkHttpClient client) {
		boolean sockets = client.socketFactory() instanceof ProxySockets;
		boolean names = client.dns() == SocksHandshake.PLACEHOLDERS;
		if (client.proxy() instanceof OwnProxy || !(sockets || names)) {
			return client;
		}
		OkHttpClient.Builder builder = client.newBuilder();
		if (sockets) {
			builder.socketFactory(SocketFactory.getDefault());
		}
		if (names) {
			builder.dns(Dns.SYSTEM);
		}
		return builder.build();
	}

	/**
	 * Returns the URL without user and password. If the proxy is not from the
	 * configuration, also returns the origin of the proxy.
	 */
	@Override
	public String toString() {
		return this.origin.isEmpty() ? this.shown : this.shown + " (" + this.origin + ")";
	}

}
