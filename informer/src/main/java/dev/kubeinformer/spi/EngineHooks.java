package dev.kubeinformer.spi;

import java.util.function.Consumer;

import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;

/**
 * Hooks of an integration into the lifecycle of an application's informers. All methods
 * may be called from any thread.
 */
public interface EngineHooks {

	/**
	 * Sets the check of the client, replacing an earlier one. Each start calls the check
	 * with the client before anything connects. The check rejects a client with an
	 * exception, which reaches the caller of the start. If informers are already started,
	 * this method calls the check with their client at once. No lock is held during the
	 * call, so the check may send requests to the API server.
	 * @param check the check
	 */
	void checkClient(Consumer<? super ApiClient> check);

	/**
	 * Sets the preparation of the cluster, replacing an earlier one. Each start carries
	 * it out with the client after the check of {@link #checkClient(Consumer)} and before
	 * anything else connects, under the same conditions. It must end within a minute,
	 * because other threads wait for the client.
	 * @param preparation the preparation
	 */
	void prepareCluster(Consumer<? super ApiClient> preparation);

	/**
	 * Returns whether a listener is registered with these informers.
	 * @param listener the listener, as passed to the builder or
	 * {@code Informers.addListener(…)}
	 * @return {@code true} if the listener is registered
	 */
	boolean hasListener(Object listener);

	/**
	 * Returns whether the calling thread runs a handler, a transform or an index function
	 * of one of these informers. Such a callback must not wait for something that may
	 * wait for the callback.
	 * @return {@code true} if the calling thread runs such a callback
	 */
	boolean isInCallback();

	/**
	 * Records the writes that reconcilers send with a client, as if they had passed the
	 * responses to their run. Recorded are writes of single objects in JSON by the thread
	 * of the run. Their requests are cancelled with the run, and rejected after the end
	 * of its term. This method modifies the client: it replaces the HTTP client with a
	 * copy that has an interceptor and does not follow redirects. Use it for clients that
	 * the integration has created itself, before anything uses them. Further calls do
	 * nothing.
	 * @param apiClient the client
	 */
	void recordWrites(ApiClient apiClient);

	/**
	 * Checks whether the libraries below the HTTP client are compatible, without network
	 * access.
	 * @return the incompatible libraries; {@code null} if all are compatible
	 */
	@Nullable ClientMisfit clientMisfit();

	/**
	 * Stops all informers permanently, closes their reconcilers, removes their handlers
	 * and frees their caches. Existing listers are empty from then on, and further
	 * requests for informers fail.
	 */
	void discard();

}
