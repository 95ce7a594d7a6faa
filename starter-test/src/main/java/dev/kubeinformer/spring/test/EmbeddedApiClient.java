package dev.kubeinformer.spring.test;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;

/**
 * The {@link ApiClient} of the embedded API, which gives its threads and connections back
 * with the application context.
 */
final class EmbeddedApiClient extends ApiClient implements AutoCloseable {

	EmbeddedApiClient(String url) {
		// A builder takes no client of others before client-java 25.
		ClientBuilder builder = new ClientBuilder();
		setHttpClient(getHttpClient().newBuilder()
			.protocols(builder.getProtocols())
			.readTimeout(builder.getReadTimeout())
			.pingInterval(builder.getPingInterval())
			.build());
		setBasePath(url);
	}

	@Override
	public void close() {
		getHttpClient().dispatcher().executorService().shutdown();
		getHttpClient().connectionPool().evictAll();
	}

}
