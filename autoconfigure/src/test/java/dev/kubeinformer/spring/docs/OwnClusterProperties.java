package dev.kubeinformer.spring.docs;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;

/**
 * Where the cluster of an application's own informers is.
 *
 * @param url the URL of its API server
 */
record OwnClusterProperties(String url) {

	ApiClient client() {
		return new ClientBuilder().setBasePath(this.url).build();
	}

}
