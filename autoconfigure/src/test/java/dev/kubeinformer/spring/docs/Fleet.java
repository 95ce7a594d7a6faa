package dev.kubeinformer.spring.docs;

import io.kubernetes.client.openapi.ApiClient;
import org.springframework.stereotype.Service;

import dev.kubeinformer.spring.cluster.InformerClusters;

/**
 * Adds and removes clusters, as on the page.
 */
@Service
class Fleet {

	private final InformerClusters clusters;

	Fleet(InformerClusters clusters) {
		this.clusters = clusters;
	}

	void joined(String name, ApiClient client) {
		this.clusters.add(name, client);
	}

	void left(String name) {
		this.clusters.remove(name);
	}

}
