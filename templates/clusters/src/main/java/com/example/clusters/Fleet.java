package com.example.clusters;

import java.util.Map;
import java.util.TreeMap;

import io.kubernetes.client.openapi.models.V1Pod;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import dev.kubeinformer.spring.cluster.ClusterListers;

/**
 * Shows how many pods each cluster has, from the caches: no request to an API server.
 */
@RestController
class Fleet {

	private final ClusterListers<V1Pod> pods;

	Fleet(ClusterListers<V1Pod> pods) {
		this.pods = pods;
	}

	@GetMapping("/pods")
	Map<String, Integer> pods() {
		Map<String, Integer> count = new TreeMap<>();
		this.pods.all().forEach((cluster, lister) -> count.put(cluster, lister.list().size()));
		return count;
	}

}
