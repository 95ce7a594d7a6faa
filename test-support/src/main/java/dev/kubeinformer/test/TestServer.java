package dev.kubeinformer.test;

import io.kubernetes.client.openapi.ApiClient;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;

/**
 * Embedded API of a test class, and a client for it that is created on first use.
 */
final class TestServer implements AutoCloseable {

	private final EmbeddedKubernetes api;

	private @Nullable ApiClient client;

	private int running;

	private boolean closed;

	TestServer(EmbeddedKubernetes api) {
		this.api = api;
	}

	EmbeddedKubernetes api() {
		return this.api;
	}

	synchronized ApiClient client() {
		ApiClient result = this.client;
		if (result == null) {
			result = this.api.newClient();
			this.client = result;
		}
		return result;
	}

	/**
	 * Begins a test.
	 * @param reset {@code true} to reset the server unless another test uses it
	 */
	synchronized void begin(boolean reset) {
		this.running++;
		if (this.running == 1 && reset) {
			this.api.reset();
		}
	}

	synchronized void end() {
		this.running--;
	}

	synchronized boolean isClosed() {
		return this.closed;
	}

	@Override
	public synchronized void close() {
		this.closed = true;
		if (this.client != null) {
			OkHttpClient http = this.client.getHttpClient();
			http.dispatcher().executorService().shutdown();
			http.connectionPool().evictAll();
		}
		this.api.close();
	}

}
