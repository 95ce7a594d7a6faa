package dev.kubeinformer.spring.autoconfigure.client;

import io.kubernetes.client.openapi.ApiClient;

/**
 * Customizes the auto-configured {@link ApiClient} before its first use, for example with
 * headers, credentials, a proxy, interceptors or timeouts. Beans of this type are called
 * in order, after all properties and the SSL bundle are applied. An {@code ApiClient}
 * bean of the application is never customized.
 * <p>
 * To change HTTP settings, replace its HTTP client by a changed copy:
 * <code>client.setHttpClient(client.getHttpClient().newBuilder()...build())</code>. The
 * client also has methods that set certificates, key managers or the verification; these
 * methods replace all settings of an SSL bundle. Informers use copies of the HTTP client
 * with read timeouts of their own.
 */
@FunctionalInterface
public interface ApiClientCustomizer {

	/**
	 * Customizes the client. Called once, on the thread that first obtains the client. If
	 * this method throws an exception, the client is closed, and the next attempt to
	 * obtain it creates another client.
	 * @param apiClient the client, which is not connected
	 */
	void customize(ApiClient apiClient);

}
