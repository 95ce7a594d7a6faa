package dev.kubeinformer.spring.autoconfigure.client;

import java.util.List;
import java.util.Map;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.credentials.Authentication;
import org.jspecify.annotations.Nullable;

/**
 * A cluster that the configuration names.
 */
interface Cluster {

	/**
	 * Returns the place that names the cluster, for people.
	 * @return the place, without credentials
	 */
	String origin();

	/**
	 * Returns the namespace that the place names.
	 * @return the namespace
	 * @throws IllegalArgumentException if the place names none
	 */
	String namespace();

	/**
	 * Makes a client.
	 * @param authentication how to authenticate; {@code null} for what the place says
	 * @return the client
	 */
	ApiClient client(@Nullable Authentication authentication);

	/**
	 * Returns whether the place says all that a connection needs, so that properties are
	 * about another cluster.
	 * @return whether it does; {@code false} by default
	 */
	default boolean isSelfContained() {
		return false;
	}

	/**
	 * Returns whether making a client may take its time, because a plugin is asked for
	 * credentials.
	 * @return whether it may; {@code false} by default
	 */
	default boolean isSlow() {
		return false;
	}

	/**
	 * Returns the proxy that the place names.
	 * @return the proxy; {@code null} by default
	 */
	default @Nullable ClientProxy proxy() {
		return null;
	}

	/**
	 * Returns the user that the place wants requests to be made as.
	 * @return the user; by default one that is empty
	 */
	default Impersonation impersonation() {
		return new Impersonation(null, List.of(), null, Map.of());
	}

}
