package dev.kubeinformer.spring.test;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;

/**
 * The {@link ApiClient} of the embedded API, which gives its threads and connections back
 * with the application context.
 */
final class EmbeddedApiClient extends ApiClient implements AutoCloseable {

	EmbeddedApiClient(String url) {
		new ClientBuilder().setApiClient(this).setBasePath(url).build();
	}

	@Override
	public void close() {
		getHttpClient().dispatcher().executorService().shutdown();
		getHttpClient().connectionPool().evictAll();
	}

}
