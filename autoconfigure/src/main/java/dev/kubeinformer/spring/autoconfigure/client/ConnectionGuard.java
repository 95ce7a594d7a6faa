package dev.kubeinformer.spring.autoconfigure.client;

import io.kubernetes.client.openapi.ApiClient;

/**
 * Checks whether a test may connect to a server. A bean of this type exists only in
 * tests. If it exists, messages about a missing cluster give advice for tests. Internal
 * to the starter.
 */
@FunctionalInterface
public interface ConnectionGuard {

	/**
	 * Checks the server of a client before the client is used.
	 * @param client the client
	 * @throws RuntimeException if the test has not allowed the server
	 */
	void check(ApiClient client);

}
