package dev.kubeinformer.spring.autoconfigure.client;

import io.kubernetes.client.openapi.ApiClient;

/**
 * Checks whether a test may connect to a server. A bean of this type exists only in
 * tests, so messages about a missing cluster then give advice for a test. Internal to the
 * starter.
 */
@FunctionalInterface
public interface ConnectionGuard {

	/**
	 * Checks the server of a client before it is used.
	 * @param client the client
	 * @throws RuntimeException if the test has not allowed it
	 */
	void check(ApiClient client);

}
