package dev.kubeinformer.spring.autoconfigure;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.credentials.Authentication;
import org.jspecify.annotations.Nullable;

/**
 * A cluster of which only the URL is known.
 *
 * @param url the URL
 */
record UrlCluster(String url) implements Cluster {

	@Override
	public String origin() {
		return "property 'kubernetes.client.url'";
	}

	@Override
	public String namespace() {
		throw ClusterLocator.noNamespace();
	}

	@Override
	public ApiClient client(@Nullable Authentication authentication) {
		return new ClientBuilder().setApiClient(new ManagedApiClient())
			.setBasePath(this.url)
			.setAuthentication(authentication)
			.build();
	}

}
