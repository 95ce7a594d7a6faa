package com.example.fleetview;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import io.kubernetes.client.openapi.models.V1Deployment;
import org.springframework.stereotype.Component;

import dev.kubeinformer.spring.cluster.ClusterListers;
import dev.kubeinformer.spring.cluster.InformerClusters;
import dev.kubeinformer.types.InformerState;

/**
 * Compares the Deployments of all clusters, from their caches. A cluster that is away
 * delays nothing: the view has what it last said, and its state.
 */
@Component
class Fleet {

	private final ClusterListers<V1Deployment> deployments;

	private final InformerClusters clusters;

	Fleet(ClusterListers<V1Deployment> deployments, InformerClusters clusters) {
		this.deployments = deployments;
		this.clusters = clusters;
	}

	/**
	 * Returns the state of each cluster's cache.
	 */
	SortedMap<String, InformerState> states() {
		SortedMap<String, InformerState> states = new TreeMap<>();
		for (String cluster : this.deployments.all().keySet()) {
			states.put(cluster, this.clusters.get(cluster).informer(V1Deployment.class).state());
		}
		return states;
	}

	/**
	 * Returns the Deployments by namespace and name.
	 */
	SortedMap<String, Application> applications() {
		SortedMap<String, SortedMap<String, Version>> versions = new TreeMap<>();
		this.deployments.all().forEach((cluster, lister) -> {
			for (V1Deployment deployment : lister.list()) {
				String key = deployment.getMetadata().getNamespace() + "/" + deployment.getMetadata().getName();
				versions.computeIfAbsent(key, (name) -> new TreeMap<>()).put(cluster, Version.of(deployment));
			}
		});
		SortedMap<String, Application> applications = new TreeMap<>();
		versions.forEach((key, byCluster) -> applications.put(key, Application.of(byCluster)));
		return applications;
	}

	/**
	 * Deployment of the same name in several clusters.
	 *
	 * @param newest the newest version
	 * @param clusters the version in each cluster
	 * @param outdated the clusters with an older version
	 */
	record Application(String newest, Map<String, String> clusters, List<String> outdated) {

		static Application of(SortedMap<String, Version> versions) {
			Version newest = versions.values().stream().max(Comparator.naturalOrder()).orElseThrow();
			Map<String, String> clusters = new TreeMap<>();
			versions.forEach((cluster, version) -> clusters.put(cluster, version.text()));
			List<String> outdated = versions.keySet()
				.stream()
				.filter((cluster) -> versions.get(cluster).compareTo(newest) < 0)
				.toList();
			return new Application(newest.text(), clusters, outdated);
		}

	}

}
