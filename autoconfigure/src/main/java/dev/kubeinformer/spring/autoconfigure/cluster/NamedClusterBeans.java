package dev.kubeinformer.spring.autoconfigure.cluster;

import io.kubernetes.client.openapi.ApiClient;

import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.settings.ConfiguredSettings;

/**
 * Methods that make the beans of one cluster. They are static, so that contexts that are
 * processed ahead of time call them as well.
 */
public final class NamedClusterBeans {

	/** Name of the bean of the configuration of all clusters that have a name. */
	public static final String CLUSTERS = "kubernetesNamedClusters";

	/** Precedes the name of the cluster in the name of its client's bean. */
	static final String CLIENT = "kubernetesApiClient.";

	/** Precedes the name of the cluster in the name of its informers' bean. */
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
