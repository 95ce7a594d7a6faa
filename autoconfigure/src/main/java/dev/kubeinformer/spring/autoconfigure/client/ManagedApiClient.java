package dev.kubeinformer.spring.autoconfigure.client;

import io.kubernetes.client.openapi.ApiClient;
import okhttp3.OkHttpClient;

/**
 * An {@link ApiClient} that gives its threads and connections back with the application
 * context.
 */
final class ManagedApiClient extends ApiClient implements AutoCloseable {

	/** What it began with; copies share its threads and connections. */
	private final OkHttpClient own = getHttpClient();

	@Override
	public void close() {
		// Not those of another client that a customizer may have brought.
		this.own.dispatcher().executorService().shutdown();
		this.own.connectionPool().evictAll();
	}

}
