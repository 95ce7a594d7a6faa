package dev.kubeinformer.spring.cluster;

import java.util.Set;

import io.kubernetes.client.openapi.ApiClient;

import dev.kubeinformer.Informers;

/**
 * Default {@link InformerClusters} of an application. Internal to the starter.
 */
public final class DefaultInformerClusters implements InformerClusters {

	private final DefaultClusterRuntimes runtimes;

	/**
	 * Creates the clusters.
	 * @param runtimes the runtimes of the clusters
	 */
	public DefaultInformerClusters(DefaultClusterRuntimes runtimes) {
		this.runtimes = runtimes;
	}

	@Override
	public Set<String> names() {
		return this.runtimes.names();
	}

	@Override
	public Informers get(String name) {
		return this.runtimes.get(name);
	}

	@Override
	public Informers add(String name, ApiClient apiClient) {
		return this.runtimes.add(name, apiClient);
	}

	@Override
	public void remove(String name) {
		this.runtimes.remove(name);
	}

}
