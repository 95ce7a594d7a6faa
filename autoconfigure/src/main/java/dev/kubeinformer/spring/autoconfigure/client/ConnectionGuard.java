package dev.kubeinformer.spring.autoconfigure.client;

import io.kubernetes.client.openapi.ApiClient;

/**
 * Checks the connections of a test's context. If such a bean exists, the advice for a missing cluster addresses a test. Internal to the starter.
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
