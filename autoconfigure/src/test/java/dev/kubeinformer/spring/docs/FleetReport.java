package dev.kubeinformer.spring.docs;

import java.util.Map;
import java.util.TreeMap;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Pod;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Service;

import dev.kubeinformer.spring.cluster.ClusterListers;

/**
 * A reader of several clusters, as on the page.
 */
@Service
class FleetReport {

	private final Lister<V1Pod> pods;

	private final Lister<V1Pod> edgePods;

	private final ClusterListers<V1Pod> all;

	FleetReport(Lister<V1Pod> pods, @Qualifier("edge") Lister<V1Pod> edgePods, ClusterListers<V1Pod> all) {
		this.pods = pods;
		this.edgePods = edgePods;
		this.all = all;
	}

	int podsHere() {
		return this.pods.list().size();
	}

	int podsAtTheEdge() {
		return this.edgePods.list().size();
	}

	Map<String, Integer> podsByCluster() {
		Map<String, Integer> count = new TreeMap<>();
		this.all.all().forEach((cluster, lister) -> count.put(cluster, lister.list().size()));
		return count;
	}

}
