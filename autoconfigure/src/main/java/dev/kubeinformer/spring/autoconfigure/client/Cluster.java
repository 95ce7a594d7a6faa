package dev.kubeinformer.spring.autoconfigure.client;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.credentials.Authentication;
import org.jspecify.annotations.Nullable;

/**
 * A cluster that the configuration tells of.
 */
interface Cluster {

	/**
	 * What tells of it, for people.
	 * @return the place, without credentials
	 */
	String origin();

	/**
	 * Namespace that the place is in.
	 * @return the namespace
	 * @throws IllegalArgumentException if the place tells none
	 */
	String namespace();

	/**
	 * Makes a client.
	 * @param authentication how to authenticate; {@code null} for what the place says
	 * @return the client
	 */
	ApiClient client(@Nullable Authentication authentication);

	/**
	 * Whether the place tells all that a connection needs, so that properties are about
	 * another cluster.
	 * @return whether it does; {@code false} by default
	 */
	default boolean isSelfContained() {
		return false;
	}

}
