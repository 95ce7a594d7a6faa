package dev.kubeinformer.internal.client.credential;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import dev.kubeinformer.internal.client.ClientTime;
import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.types.ClientConfigurationException;

/**
 * Credentials of a client, which are checked again when they may have changed.
 * Thread-safe. Slow operations run once for all callers, on a separate thread.
 */
public interface Credentials extends AutoCloseable {

	/**
	 * Creates the credentials of a user. Files are read now, so that a missing file is
	 * reported at start. A plugin runs with the first request, or with
	 * {@link #current(BooleanSupplier)} before it.
	 * @param access the user, and the cluster for the input of a plugin
	 * @param time the clocks
	 * @return the credentials
	 * @throws ClientConfigurationException if they are not usable
	 */
	static Credentials of(ClusterAccess access, ClientTime time) {
		return of(access, time, UnaryOperator.identity());
	}

	/**
	 * Creates the {@linkplain #of(ClusterAccess, ClientTime) credentials} of a user whose
	 * field names differ from those of a kubeconfig.
	 * @param access the user, and the cluster for the input of a plugin
	 * @param time the clocks
	 * @param fields the function from a kubeconfig field name to the name in messages
	 * @return the credentials
	 * @throws ClientConfigurationException if they are not usable
	 */
	static Credentials of(ClusterAccess access, ClientTime time, UnaryOperator<String> fields) {
		return new CombinedCredentials(time.clock(),
				(exchanged) -> new UserSources(access, time, fields, exchanged).create());
	}

	/**
	 * Returns the credential for the next request.
	 * @param cancelled whether all callers have stopped waiting
	 * @return the credential
	 * @throws IOException if it cannot be obtained; the message has the reason without
	 * secrets. The cause is a {@link ClientConfigurationException} if the configuration,
	 * a plugin or its response is the reason
	 */
	Credential current(BooleanSupplier cancelled) throws IOException;

	/**
	 * Checks for another credential after the API server rejected one (HTTP 401).
	 * @param refused the rejected credential
	 * @param cancelled whether all callers have stopped waiting
	 * @return another credential; the rejected one if there is no other, for example
	 * because a plugin failed, which is logged
	 * @throws IOException if the caller stopped waiting, or waited too long
	 */
	Credential after(Credential refused, BooleanSupplier cancelled) throws IOException;

	/**
	 * Adds a listener. It is notified of each new credential before any caller receives
	 * that, serially and in order, on the caller's thread or in the background, because
	 * client certificates are renewed between requests, too. If a credential exists, the
	 * listener is notified now.
	 * @param listener the listener, which must not wait for other threads
	 */
	void listen(Consumer<Credential> listener);

	/**
	 * Returns whether obtaining the first credential may be slow, because a plugin runs.
	 * @return {@code true} if it may be slow
	 */
	boolean areSlow();

	/**
	 * Ends the threads and a running plugin.
	 */
	@Override
	void close();

}
