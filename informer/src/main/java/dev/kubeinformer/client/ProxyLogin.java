package dev.kubeinformer.client;

import java.io.IOException;
import java.net.Proxy;

import okhttp3.Authenticator;
import okhttp3.Connection;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.Route;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates with an HTTP proxy. If another proxy is set in the client later, the
 * credentials are not sent to that proxy.
 *
 * @param proxy the proxy
 * @param user the user; {@code null} for none
 * @param shown the URL of the proxy, for messages
 */
record ProxyLogin(Proxy proxy, @Nullable ProxyUser user, String shown) implements Authenticator, Interceptor {

	private static final String HEADER = "Proxy-Authorization";

	/**
	 * Scheme of the challenge that OkHttp makes up, so that it can send the header with
	 * the first {@code CONNECT}.
	 */
	private static final String PREEMPTIVE = "OkHttp-Preemptive";

	/**
	 * Adds the credentials to a request without TLS. OkHttp asks for credentials in
	 * advance only if it sends {@code CONNECT}. It does not send {@code CONNECT} for a
	 * request without TLS, so the proxy would reject every first attempt.
	 */
	@Override
	public Response intercept(Chain chain) throws IOException {
		Request request = chain.request();
		Connection connection = chain.connection();
		ProxyUser user = this.user;
		boolean named = request.isHttps() || request.header(HEADER) != null;
		if (user == null || named || connection == null || !connection.route().proxy().equals(this.proxy)) {
			return chain.proceed(request);
		}
		return chain.proceed(request.newBuilder().header(HEADER, user.basic()).build());
	}

	@Override
	public @Nullable Request authenticate(@Nullable Route route, Response response) throws IOException {
		if (route == null || !route.proxy().equals(this.proxy)) {
			return null;
		}
		Request request = response.request();
		if (request.isHttps() && !request.method().equals("CONNECT")) {
			// The server behind the tunnel has responded. It must not receive the
			// password.
			return null;
		}
		if (request.header(HEADER) != null) {
			throw new ProxyException(
					"The proxy '%s' rejects the user and the password in its URL (HTTP 407); correct them"
						.formatted(this.shown));
		}
		ProxyUser user = this.user;
		if (user != null) {
			return request.newBuilder().header(HEADER, user.basic()).build();
		}
		if (response.challenges().stream().anyMatch((challenge) -> challenge.scheme().equals(PREEMPTIVE))) {
			return null;
		}
		throw new ProxyException(
				"The proxy '%s' requires a user and a password (HTTP 407); add them to its URL".formatted(this.shown));
	}

	@Override
	public String toString() {
		return this.shown;
	}

}
