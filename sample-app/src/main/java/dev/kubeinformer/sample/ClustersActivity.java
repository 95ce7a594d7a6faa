package dev.kubeinformer.sample;

import java.util.List;

import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodStatus;
import org.springframework.scheduling.annotation.Scheduled;

import dev.kubeinformer.test.ApiResources;

/**
 * Activity in several embedded APIs: in turn, it creates, runs and deletes a pod in each
 * of them. The pod has the same name in all clusters.
 */
class ClustersActivity {

	private static final String NAMESPACE = "shop";

	private static final String NAME = "till-0";

	private final List<ApiResources<V1Pod>> clusters;

	private int turn;

	ClustersActivity(List<ApiResources<V1Pod>> clusters) {
		this.clusters = clusters;
	}

	@Scheduled(initialDelayString = "${sample.activity.delay:2s}",
			fixedDelayString = "${sample.activity.period:1200ms}")
	void next() {
		ApiResources<V1Pod> pods = this.clusters.get(this.turn % this.clusters.size());
		switch (this.turn / this.clusters.size() % 3) {
			case 0 -> pods.create(DemoCluster.pod(NAMESPACE, "till", NAME, "node-1", "Pending"));
			case 1 -> pods.edit(NAMESPACE, NAME, (pod) -> pod.setStatus(new V1PodStatus().phase("Running")));
			default -> pods.delete(NAMESPACE, NAME);
		}
		this.turn++;
	}

}
