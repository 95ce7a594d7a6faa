package dev.kubeinformer.client;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import io.kubernetes.client.openapi.ApiClient;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

import dev.kubeinformer.internal.client.ClientTime;
import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.internal.client.credential.Credential;
import dev.kubeinformer.internal.client.credential.Credentials;
import dev.kubeinformer.internal.client.tls.ClusterTls;
import dev.kubeinformer.types.ClientConfigurationException;

/**
 * Parts from which a client and its HTTP client are assembled.
 *
 * @param access the access to the cluster
 * @param tls the TLS of the connections
 * @param credentials the credentials
 * @param authentication the interceptor that authenticates requests
 * @param impersonation the interceptor that impersonates a user; empty if no user is set
 * @param proxy the proxy; {@code null} to let the JVM decide
 * @param connectTimeout the maximum time to wait for a connection
 */
record ClientAssembly(ClusterAccess access, ClusterTls tls, Credentials credentials,
		CredentialInterceptor authentication, List<Interceptor> impersonation, @Nullable ProxySettings proxy,
		Duration connectTimeout) {

	/** Ping interval of HTTP/2, as in the official client. */
	private static final Duration PING = Duration.ofMinutes(1);

	/**
	 * Reads certificates and credentials, and runs a credential plugin.
	 * @param access the access to the cluster
	 * @param places the settings of the builder; messages about a value from there name
	 * the builder as its source
	 * @param environment the environment, for proxies
	 * @param connectTimeout the maximum time to wait for a connection
	 * @param time the clocks
	 * @return the parts, from which the client is assembled
	 * @throws ClientConfigurationException if a part is not usable
	 */
	static ClientAssembly of(ClusterAccess access, ClientOverrides places, ClientEnvironment environment,
			Duration connectTimeout, ClientTime time) {
		if (ApiServerUrl.parse(access.server().url()) == null) {
			throw new ClientConfigurationException(access.place(), "server",
					"is '%s', which is not a URL with scheme and host"
						.formatted(ApiServerUrl.shown(access.server().url())),
					null);
		}
		List<Interceptor> impersonation = ImpersonationInterceptor
			.of(access.user().impersonation(), places.impersonationPlace(access), places.impersonationField())
			.toList();
		ProxySettings proxy = proxy(access, places, environment, Level.WARN);
		ServiceAccount.check(access.server().authority());
		ClusterTls tls = ClusterTls.of(access.server(), time);
		String userPlace = places.userPlace(access);
		Credentials credentials = Credentials.of(new ClusterAccess(userPlace, places.userOrigin(access),
				access.server(), access.user(), access.namespace()), time, places::userField);
		try {
			CredentialInterceptor authentication = new CredentialInterceptor(credentials, tls);
			credentials.current(() -> false);
			return new ClientAssembly(access, tls, credentials, authentication, impersonation, proxy, connectTimeout);
		}
		catch (IOException ex) {
			credentials.close();
			if (ex.getCause() instanceof ClientConfigurationException cause) {
				throw cause;
			}
			throw new ClientConfigurationException(userPlace, null,
					"has a user without a credential: %s".formatted(ex.getMessage()), null);
		}
		catch (RuntimeException | Error ex) {
			credentials.close();
			throw ex;
		}
	}

	/**
	 * Finds the proxy of the configuration or, if there is none, of the environment.
	 * @param access the access to the cluster
	 * @param places the settings of the builder; a message about a proxy from there names
	 * the builder as its source
	 * @param environment the environment
	 * @param level the level for logging an ignored variable
	 * @return the proxy; {@code null} to let the JVM decide
	 * @throws ClientConfigurationException if the proxy is not usable
	 */
	static @Nullable ProxySettings proxy(ClusterAccess access, ClientOverrides places, ClientEnvironment environment,
			Level level) {
		String url = access.server().proxy();
		if (url == null) {
			return ProxySettings.forServer(access.server().url(), environment.variables()::apply, level);
		}
		try {
			return ProxySettings.parse(url);
		}
		catch (IllegalArgumentException ex) {
			throw places.unusableProxy(access, String.valueOf(ex.getMessage()));
		}
	}

	/**
	 * Sets the properties of a client. Called before its HTTP client is set.
	 * @param client the client
	 */
	void prepare(ApiClient client) {
		if (this.access.server().insecure()) {
			client.setVerifyingSsl(false);
		}
	}

	/**
	 * Creates the HTTP client.
	 * @param client a client of the official library
	 * @param basePath returns the URL of the API server; only that server receives the
	 * credentials
	 * @return the HTTP client
	 */
	OkHttpClient http(OkHttpClient client, Supplier<@Nullable String> basePath) {
		OkHttpClient.Builder builder = client.newBuilder()
			.protocols(List.of(Protocol.HTTP_2, Protocol.HTTP_1_1))
			.connectTimeout(this.connectTimeout)
			// No read timeout, because a watch is silent while nothing changes.
			.readTimeout(Duration.ZERO)
			.pingInterval(PING)
			// kube-apiserver does not send redirects, and a redirect could send a token
			// to another host.
			.followRedirects(false)
			.followSslRedirects(false)
			.sslSocketFactory(this.tls.socketFactory(), this.tls.trustManager())
			.hostnameVerifier(this.tls.hostnameVerifier())
			.addInterceptor(new OwnServerInterceptor(basePath, this.authentication));
		this.impersonation
			.forEach((interceptor) -> builder.addInterceptor(new OwnServerInterceptor(basePath, interceptor)));
		if (this.proxy != null) {
			// Always verify a TLS proxy, even with an insecure API server: the proxy
			// receives the password in its
			// URL.
			this.proxy.apply(builder, this.access.server().insecure() ? null : this.tls.trustManager());
		}
		return builder.build();
	}

	@Nullable Credential used() {
		return this.authentication.used();
	}

	void close() {
		this.credentials.close();
	}

}
