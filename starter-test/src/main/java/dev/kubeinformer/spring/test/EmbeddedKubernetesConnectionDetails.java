package dev.kubeinformer.spring.test;

import dev.kubeinformer.spring.autoconfigure.client.KubernetesConnectionDetails;

/**
 * {@link KubernetesConnectionDetails} of the embedded API.
 *
 * @param url the URL
 * @param namespace the namespace that {@code @current} stands for
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
