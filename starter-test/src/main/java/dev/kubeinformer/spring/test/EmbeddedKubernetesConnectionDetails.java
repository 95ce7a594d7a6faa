package dev.kubeinformer.spring.test;

import dev.kubeinformer.spring.autoconfigure.client.KubernetesConnectionDetails;

/**
 * {@link KubernetesConnectionDetails} of the embedded API.
 *
 * @param url the URL
 */
record EmbeddedKubernetesConnectionDetails(String url) implements KubernetesConnectionDetails {

	@Override
	public String getUrl() {
		return this.url;
	}

	@Override
	public String getNamespace() {
		return "default";
	}

}
