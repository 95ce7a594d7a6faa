package dev.kubeinformer.spring.autoconfigure.client;

import java.net.InetSocketAddress;
import java.net.Proxy;
import java.util.Locale;

import io.kubernetes.client.openapi.ApiClient;
import okhttp3.Credentials;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import org.jspecify.annotations.Nullable;

/**
 * Proxy that the connections to an API server take. As with {@code proxy-url} in a
 * kubeconfig, it is for that server and asks neither {@code NO_PROXY} nor the system
 * properties of the JVM. Its password is in no text.
 */
final class ClientProxy {

	private static final String HEADER = "Proxy-Authorization";

	private static final int SOCKS_PORT = 1080;

	private final Proxy proxy;

	private final @Nullable String authorization;

	private final String shown;

	private ClientProxy(Proxy proxy, @Nullable String authorization, String shown) {
		this.proxy = proxy;
		this.authorization = authorization;
		this.shown = shown;
	}

	/**
	 * Reads the URL of a proxy.
	 * @param text the URL, such as {@code http://user:password@host:3128}
	 * @return the proxy
	 * @throws IllegalArgumentException if it cannot be used; the message is the rule, as
	 * the end of a sentence, and does not quote the URL
	 */
	static ClientProxy parse(String text) {
		int end = text.indexOf("://");
		String scheme = (end > 0) ? text.substring(0, end).toLowerCase(Locale.ROOT) : "";
		if (!scheme.equals("http") && !scheme.equals("socks5")) {
			throw new IllegalArgumentException("must be a URL that begins with http:// or socks5://"
					+ (scheme.equals("https") ? "; the HTTP client speaks no TLS to a proxy" : ""));
		}
		boolean socks = scheme.equals("socks5");
		HttpUrl url = ServerUrl.isValid("http" + text.substring(end)) ? HttpUrl.parse("http" + text.substring(end))
				: null;
		if (url == null) {
			throw new IllegalArgumentException("must be a URL with scheme and host, such as 'http://10.0.0.1:3128'");
		}
		if (socks && !url.username().isEmpty()) {
			throw new IllegalArgumentException("must have no user: the JVM sends none to one SOCKS proxy alone");
		}
		int port = (socks && !hasPort(text)) ? SOCKS_PORT : url.port();
		Proxy proxy = new Proxy(socks ? Proxy.Type.SOCKS : Proxy.Type.HTTP,
				InetSocketAddress.createUnresolved(url.host(), port));
		String authorization = url.username().isEmpty() ? null : Credentials.basic(url.username(), url.password());
		return new ClientProxy(proxy, authorization, ServerUrl.withoutSecrets(text));
	}

	private static boolean hasPort(String text) {
		return text.matches(".*:\\d+/?");
	}

	/**
	 * Has a client connect by the proxy.
	 * @param client the client
	 */
	void apply(ApiClient client) {
		OkHttpClient.Builder builder = client.getHttpClient().newBuilder().proxy(this.proxy);
		String credentials = this.authorization;
		if (credentials != null) {
			builder.proxyAuthenticator((route, response) -> {
				Request refused = response.request();
				// What was turned away once will be again.
				return (refused.header(HEADER) != null) ? null
						: refused.newBuilder().header(HEADER, credentials).build();
			});
		}
		client.setHttpClient(builder.build());
	}

	/**
	 * Returns the URL as it may be shown.
	 */
	@Override
	public String toString() {
		return this.shown;
	}

}
