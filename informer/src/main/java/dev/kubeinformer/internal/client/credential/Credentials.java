package dev.kubeinformer.internal.client.credential;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import dev.kubeinformer.internal.client.ClientTime;
import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.types.ClientConfigurationException;

/**
 * Provides the current credential of a client. Files are read again and plugins are run
 * again when the credential may have changed. Slow operations run once for all callers,
 * on a separate thread. Thread-safe.
 */
public interface Credentials extends AutoCloseable {

	/**
	 * Creates the credentials of a user. Files are read now, so that a missing file is
	 * reported at the start. A plugin runs when {@link #current(BooleanSupplier)} is
	 * first called, at the latest for the first request.
	 * @param access the user, and the cluster for the input of a plugin
	 * @param time the clocks
	 * @return the credentials
	 * @throws ClientConfigurationException if the credentials are not usable
	 */
	static Credentials of(ClusterAccess access, ClientTime time) {
		return of(access, time, UnaryOperator.identity());
	}

	/**
	 * Creates the {@linkplain #of(ClusterAccess, ClientTime) credentials} of a user whose
	 * fields have other names than in a kubeconfig.
	 * @param access the user, and the cluster for the input of a plugin
	 * @param time the clocks
	 * @param fields converts the name of a kubeconfig field into the name that messages
	 * show
	 * @return the credentials
	 * @throws ClientConfigurationException if the credentials are not usable
	 */
	static Credentials of(ClusterAccess access, ClientTime time, UnaryOperator<String> fields) {
		return new CombinedCredentials(time.clock(),
				(exchanged) -> new UserSources(access, time, fields, exchanged).create());
	}

	/**
	 * Returns the credential for the next request.
	 * @param cancelled returns whether all callers have stopped waiting
	 * @return the credential
	 * @throws IOException if the credential cannot be obtained; the message has the
	 * reason without secrets. If the reason is the configuration, a plugin or its output,
	 * the cause is a {@link ClientConfigurationException}
	 */
	Credential current(BooleanSupplier cancelled) throws IOException;

	/**
	 * Checks for another credential after the API server rejected one (HTTP 401).
	 * @param refused the rejected credential
	 * @param cancelled returns whether all callers have stopped waiting
	 * @return another credential; the rejected credential if there is no other one. If a
	 * plugin has failed, the failure is logged
	 * @throws IOException if the caller stopped waiting, or waited too long
	 */
	Credential after(Credential refused, BooleanSupplier cancelled) throws IOException;

	/**
	 * Adds a listener. It is notified of each new credential, in order, before any caller
	 * receives the credential. The notifying thread is that of a caller or a background
	 * thread, because client certificates are also renewed between requests. If there is
	 * already a credential, the listener is notified now.
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
