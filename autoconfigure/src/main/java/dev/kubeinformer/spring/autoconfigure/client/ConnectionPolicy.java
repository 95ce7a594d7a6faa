package dev.kubeinformer.spring.autoconfigure.client;

import io.kubernetes.client.openapi.ApiClient;

/**
 * Policy that decides to which clusters the informers of a context may connect. Only the
 * contexts of tests have one. Internal to the starter.
 */
@FunctionalInterface
public interface ConnectionPolicy {

	/**
	 * Checks where a client leads to, before it is used.
	 * @param client the client that informers are about to use
	 * @throws RuntimeException if they must not use it
	 */
	void check(ApiClient client);

}
