package dev.kubeinformer.spring.autoconfigure.client;

import io.kubernetes.client.openapi.ApiClient;

/**
 * Callback for the auto-configured {@link ApiClient}, before anything uses it: for
 * headers, credentials, a proxy, interceptors or timeouts. Beans of this type are called
 * in order, after all properties and the SSL bundle are applied. An {@code ApiClient}
 * bean of the application is never customized.
 * <p>
 * What concerns HTTP goes on a copy of its HTTP client:
 * <code>client.setHttpClient(client.getHttpClient().newBuilder()...build())</code>. The
 * methods of the client that set certificates, key managers or the verification replace
 * all that an SSL bundle brought. Informers put read timeouts of their own on copies.
 */
@FunctionalInterface
public interface ApiClientCustomizer {

	/**
	 * Customizes the client. It is called once, by the thread that asks for the client
	 * first. If it fails, the client is closed, and the next request for a client makes
	 * another one.
	 * @param apiClient the client; not connected yet
	 */
	void customize(ApiClient apiClient);

}
