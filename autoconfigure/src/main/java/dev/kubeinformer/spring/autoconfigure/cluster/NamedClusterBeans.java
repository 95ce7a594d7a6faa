package dev.kubeinformer.spring.autoconfigure.cluster;

import io.kubernetes.client.openapi.ApiClient;

import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.settings.ConfiguredSettings;

/**
 * Factory methods of the beans of one cluster. They are static, so that code that was
 * generated ahead of time can call them, too.
 */
public final class NamedClusterBeans {

	/** Bean name of the configuration of all named clusters. */
	public static final String CLUSTERS = "kubernetesNamedClusters";

	/** Prefix of the bean name of a cluster's client. */
	static final String CLIENT = "kubernetesApiClient.";

	/** Prefix of the bean name of a cluster's informers. */
	static final String INFORMERS = "kubernetesInformers.";

	private NamedClusterBeans() {
	}

	static ApiClient apiClient(String name, NamedClusters clusters) {
		return clusters.client(name).get();
	}

	static Informers informers(String name, NamedClusters clusters, InformersFactory factory,
			ConfiguredSettings configured) {
		return clusters.informers(name, factory, configured);
	}

}
