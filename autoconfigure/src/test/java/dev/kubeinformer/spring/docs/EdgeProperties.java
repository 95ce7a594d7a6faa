package dev.kubeinformer.spring.docs;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;

/**
 * Where the second cluster is.
 *
 * @param url the URL of its API server
 */
record EdgeProperties(String url) {

	ApiClient client() {
		return new ClientBuilder().setBasePath(this.url).build();
	}

}
