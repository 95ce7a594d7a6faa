package dev.kubeinformer.spi;

import java.util.function.Consumer;

import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;

/**
 * The places at which an integration takes part in the life of an application's
 * informers. All methods may be called from any thread.
 */
public interface EngineHooks {

	/**
	 * Sets the check of the client. It is called with the client at each start, before
	 * anything connects, and refuses the client by an exception, which is thrown to the
	 * caller that starts. It replaces an earlier check. If informers are started already,
	 * it is called with their client at once. No lock is held meanwhile: it may ask the
	 * API server.
	 * @param check the check
	 */
	void checkClient(Consumer<? super ApiClient> check);

	/**
	 * Returns whether a listener is notified of what these informers do.
	 * @param listener the listener, which the builder or {@code Informers.addListener(…)}
	 * was given
	 * @return whether the listener is notified
	 */
	boolean hasListener(Object listener);

	/**
	 * Returns whether the calling thread runs a handler, a transform or an index function
	 * of one of these informers. Such a callback must not wait for what may wait for it.
	 * @return whether it does
	 */
	boolean isInCallback();

	/**
	 * Has what reconcilers write with a client recorded, as if they had handed it to
	 * their run: by the thread of the run, to single objects, in JSON. Their requests are
	 * cancelled with the run, and refused when the term is over in which it began. This
	 * changes the client: it gets a copy of its HTTP client with an interceptor, which
	 * follows no redirects. It is for clients that the integration has made itself,
	 * before anything uses them. Does nothing if it was done already.
	 * @param apiClient the client
	 */
	void recordWrites(ApiClient apiClient);

	/**
	 * Looks whether the libraries below the HTTP client fit together, without a network.
	 * @return what does not fit; {@code null} if they do
	 */
	@Nullable ClientMisfit clientMisfit();

	/**
	 * Stops all informers for ever, closes their reconcilers and frees their caches:
	 * listers that were handed out are empty from then on. Handlers are removed. What is
	 * asked for after that is refused.
	 */
	void discard();

}
