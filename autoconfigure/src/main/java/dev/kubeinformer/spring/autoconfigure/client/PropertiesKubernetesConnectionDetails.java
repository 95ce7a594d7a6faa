package dev.kubeinformer.spring.autoconfigure.client;

import org.jspecify.annotations.Nullable;

/**
 * Adapts {@link KubernetesClientProperties} to {@link KubernetesConnectionDetails}. It is
 * no bean: without the property of the URL no details are known before a kubeconfig is
 * read.
 *
 * @param url the URL
 * @param values the texts of the properties
 */
record PropertiesKubernetesConnectionDetails(String url, ClientValues values) implements KubernetesConnectionDetails {

	@Override
	public String getUrl() {
		return this.url;
	}

	@Override
	public @Nullable String getToken() {
		return this.values.token();
	}

}
