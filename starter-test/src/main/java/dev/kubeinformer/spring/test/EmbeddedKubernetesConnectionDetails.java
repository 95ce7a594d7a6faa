package dev.kubeinformer.spring.test;

import dev.kubeinformer.spring.autoconfigure.client.KubernetesConnectionDetails;

/**
 * {@link KubernetesConnectionDetails} of the embedded API.
 *
 * @param url the URL
 * @param namespace the namespace of the application, for which {@code @current} stands in
 * its configuration
 */
record EmbeddedKubernetesConnectionDetails(String url, String namespace) implements KubernetesConnectionDetails {

	@Override
	public String getUrl() {
		return this.url;
	}

	@Override
	public String getNamespace() {
		return this.namespace;
	}

}
