package dev.kubeinformer.internal.client.credential;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import dev.kubeinformer.internal.client.ClientTime;
import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.types.ClientConfigurationException;

/**
 * The credentials of a client, looked at again when they may have changed. Safe for use
 * by several threads; what takes its time is done once for all, in a thread of its own.
 */
public interface Credentials extends AutoCloseable {

	/**
	 * Creates the credentials of a user. Files are read now, so that what is missing
	 * stops the start; a plugin runs with the first request, or with
	 * {@link #current(BooleanSupplier)} before it.
	 * @param access the cluster, for what a plugin is told, and the user
	 * @param time the clocks
	 * @return the credentials
	 * @throws ClientConfigurationException if they cannot be used
	 */
	static Credentials of(ClusterAccess access, ClientTime time) {
		return of(access, time, UnaryOperator.identity());
	}

	/**
	 * Creates the {@linkplain #of(ClusterAccess, ClientTime) credentials} of a user whose
	 * fields have other names than in a kubeconfig.
	 * @param access the cluster, for what a plugin is told, and the user
	 * @param time the clocks
	 * @param fields returns the name of a field for messages, by that in a kubeconfig
	 * @return the credentials
	 * @throws ClientConfigurationException if they cannot be used
	 */
	static Credentials of(ClusterAccess access, ClientTime time, UnaryOperator<String> fields) {
		return new CombinedCredentials(time.clock(),
				(exchanged) -> new UserSources(access, time, fields, exchanged).create());
	}

	/**
	 * Returns what authenticates the next request.
	 * @param cancelled whether nobody waits any more
	 * @return the credential
	 * @throws IOException if it cannot be had; the message says why, without secrets. The
	 * cause is a {@link ClientConfigurationException} if the configuration, a plugin or
	 * its answer is the reason
	 */
	Credential current(BooleanSupplier cancelled) throws IOException;

	/**
	 * Looks again after the API server refused a credential (HTTP 401).
	 * @param refused the credential
	 * @param cancelled whether nobody waits any more
	 * @return the next one; the refused one if there is no other, such as because a
	 * plugin failed, which is logged
	 * @throws IOException if the caller stopped waiting, or waited too long
	 */
	Credential after(Credential refused, BooleanSupplier cancelled) throws IOException;

	/**
	 * Adds a listener. It is told each other credential before any caller gets it, one
	 * after the other and in their order, by the thread of the caller or in the
	 * background: a client certificate is renewed while no request is made, too. If there
	 * is a credential already, the listener is told now.
	 * @param listener the listener, which must not wait for other threads
	 */
	void listen(Consumer<Credential> listener);

	/**
	 * Returns whether the first credential may take its time, because a plugin runs.
	 * @return whether it may
	 */
	boolean areSlow();

	/**
	 * Ends the threads, and a plugin that runs.
	 */
	@Override
	void close();

}
