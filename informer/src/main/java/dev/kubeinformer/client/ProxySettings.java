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
 * Proxy that the connections to an API server take, as kubectl has it: {@code http} and
 * {@code https} with {@code CONNECT}, and {@code socks5}, each with or without user and
 * password. The text form is its URL without them.
 */
final class ProxySettings {

	private static final Logger logger = LoggerFactory.getLogger(ProxySettings.class);

	private final String scheme;

	private final String host;

	private final int port;

	private final @Nullable ProxyUser user;

	private final String shown;

	/** What named the proxy, for messages; empty if the configuration did. */
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
	 * Reads the URL of a proxy.
	 * @param url the URL, such as {@code http://user:password@host:3128}
	 * @return the proxy
	 * @throws IllegalArgumentException if it cannot be used; the message is the rule, as
	 * the end of a sentence, and does not quote the URL
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
	 * Returns the proxy of a server for which the configuration names none. If the JVM is
	 * set up for proxies, by system properties or a {@link ProxySelector}, it decides,
	 * and the HTTP client asks it. Otherwise the variables {@code HTTPS_PROXY},
	 * {@code HTTP_PROXY} for URLs without TLS, and {@code NO_PROXY} decide, as they do
	 * for kubectl; each may be in lower case. A value that is not the URL of a proxy is
	 * logged and ignored.
	 * @param server the URL of the API server
	 * @param environment the environment: the value of a variable; {@code null} if it is
	 * not set
	 * @param level the level at which a value that is ignored is logged
	 * @return the proxy of the environment; {@code null} if it names none for the server
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
				.log("The environment variable '{}' is ignored, as kubectl does, because it {}. Correct or remove it",
						set, ex.getMessage());
			return null;
		}
	}

	private static String httpUnlessKnown(String text) {
		// As Go does for variables only: parseProxy of httpproxy, dialConn of net/http.
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
	 * Makes a client connect by the proxy. For {@code https} and {@code socks5} the
	 * client gets sockets of their own, whose handshake with the proxy its connect
	 * timeout bounds.
	 * @param builder the client
	 * @param authorities what verifies the certificate of the API server, which may vouch
	 * for the proxy, too; {@code null} if only the JVM's authorities do
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
	 * Removes sockets and name service of a former proxy from a copy of a client, if the
	 * application has set another proxy since, or none.
	 * @param client the client
	 * @return the same client if there is nothing to remove
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
	 * Returns the URL as it may be shown, and what named it if the configuration did not.
	 */
	@Override
	public String toString() {
		return this.origin.isEmpty() ? this.shown : this.shown + " (" + this.origin + ")";
	}

}
