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
	 * Sets the check of the client, and replaces an earlier check. Each start calls the
	 * check with the client before anything connects. The check rejects a client by
	 * throwing an exception, which the caller of the start receives. If informers are
	 * already started, this method calls the check with their client at once. No lock is
	 * held during the call, so the check may send requests to the API server.
	 * @param check the check
	 */
	void checkClient(Consumer<? super ApiClient> check);

	/**
	 * Sets an action that prepares the cluster, and replaces an earlier one. Each start
	 * calls it with the client, after the check of {@link #checkClient(Consumer)} and
	 * before anything else connects. As with the check, an exception reaches the caller
	 * of the start, and no lock is held during the call. The action must end within a
	 * minute, because other threads wait for the client.
	 * @param preparation the action
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
	 * Records the writes that reconcilers send with a client, so that reconcilers need
	 * not report them to their run. A write is recorded if it concerns a single object,
	 * is in JSON, and is sent by the thread of the run. Requests of such a thread are
	 * cancelled together with the run, and rejected after the end of its term. This
	 * method modifies the client: it replaces the HTTP client with a copy that has an
	 * interceptor and does not follow redirects. So use it only for clients that the
	 * integration has created itself, and before anything uses them. Further calls with
	 * the same client do nothing.
	 * @param apiClient the client
	 */
	void recordWrites(ApiClient apiClient);

	/**
	 * Checks whether the libraries that the HTTP client uses are compatible. Does not
	 * access the network.
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
