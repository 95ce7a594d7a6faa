package dev.kubeinformer.spring.autoconfigure.client;

import io.kubernetes.client.openapi.ApiClient;

/**
 * The bean that checks the connections of a test's context. Where there is one, the
 * advice of a missing cluster speaks to a test. Internal to the starter.
 */
@FunctionalInterface
public interface ConnectionGuard {

	/**
	 * Checks where a client leads to, before it is used.
	 * @param client the client
	 * @throws RuntimeException if nothing in the test said that it may be used
	 */
	void check(ApiClient client);

}
