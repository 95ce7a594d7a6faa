package dev.kubeinformer.spring.autoconfigure;

import io.kubernetes.client.openapi.ApiClient;

/**
 * An {@link ApiClient} that gives its threads and connections back with the application
 * context.
 */
final class ManagedApiClient extends ApiClient implements AutoCloseable {

	@Override
	public void close() {
		getHttpClient().dispatcher().executorService().shutdown();
		getHttpClient().connectionPool().evictAll();
	}

}
