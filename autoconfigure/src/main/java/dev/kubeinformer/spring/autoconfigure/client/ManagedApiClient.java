package dev.kubeinformer.spring.autoconfigure.client;

import java.io.ByteArrayInputStream;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.credentials.Authentication;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;

/**
 * An {@link ApiClient} that gives its threads and connections back with the application
 * context.
 */
final class ManagedApiClient extends ApiClient implements AutoCloseable {

	/** What it began with; copies share its threads and connections. */
	private final OkHttpClient own = getHttpClient();

	/**
	 * Makes a client of what a builder holds. A builder takes no client of others before
	 * client-java 25, which the BOM of Spring Cloud manages.
	 * @param builder the builder
	 * @param authority the certificates of the authority, in PEM; {@code null} for those
	 * of the JVM
	 * @param serverName the name that the certificate of the server has; {@code null} for
	 * that of the URL
	 * @return the client
	 * @throws UnsupportedOperationException if the official client knows no such name
	 */
	static ManagedApiClient of(ClientBuilder builder, byte @Nullable [] authority, @Nullable String serverName) {
		ManagedApiClient client = new ManagedApiClient();
		client.setHttpClient(client.getHttpClient()
			.newBuilder()
			.protocols(builder.getProtocols())
			.readTimeout(builder.getReadTimeout())
			.pingInterval(builder.getPingInterval())
			.build());
		String url = builder.getBasePath();
		client.setBasePath(url.endsWith("/") ? url.substring(0, url.length() - 1) : url);
		client.setVerifyingSsl(builder.isVerifyingSsl());
		if (serverName != null) {
			client.nameServer(serverName);
		}
		Authentication authentication = builder.getAuthentication();
		if (authentication != null) {
			authentication.provide(client);
		}
		if (authority != null) {
			// Last: whatever sets up TLS again would find the stream at its end.
			client.setSslCaCert(new ByteArrayInputStream(authority));
		}
		return client;
	}

	private void nameServer(String serverName) {
		try {
			setTlsServerName(serverName);
		}
		catch (NoSuchMethodError ex) {
			throw new UnsupportedOperationException("no tls-server-name", ex);
		}
	}

	@Override
	public void close() {
		// Not those of another client that a customizer may have brought.
		this.own.dispatcher().executorService().shutdown();
		this.own.connectionPool().evictAll();
	}

}
