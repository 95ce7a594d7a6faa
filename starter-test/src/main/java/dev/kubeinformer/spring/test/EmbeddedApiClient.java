package dev.kubeinformer.spring.test;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;

/**
 * {@link ApiClient} of the embedded API. It closes its threads and connections with the
 * application context.
 */
final class EmbeddedApiClient extends ApiClient implements AutoCloseable {

	EmbeddedApiClient(String url) {
		// Before client-java 25, ClientBuilder does not accept an existing HTTP client.
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
