package dev.kubeinformer.sample;

import io.kubernetes.client.openapi.models.V1Pod;
import org.springframework.scheduling.annotation.Scheduled;

import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * Activity in the embedded API: about once a second it changes a pod, in a repeating
 * sequence.
 */
class ClusterActivity {

	private final ApiResources<V1Pod> pods;

	private int turn;

	ClusterActivity(EmbeddedKubernetes kubernetes) {
		this.pods = kubernetes.resources(V1Pod.class);
	}

	@Scheduled(initialDelayString = "${sample.activity.delay:2s}",
			fixedDelayString = "${sample.activity.period:1200ms}")
	void next() {
		int round = this.turn / 6;
		String namespace = DemoCluster.NAMESPACES.get(round % DemoCluster.NAMESPACES.size());
		String node = DemoCluster.NODES.get(round % DemoCluster.NODES.size());
		String extra = "wordpress-6f9c7d5b4-" + Integer.toString(46656 + round, 36);
		switch (this.turn % 6) {
			case 0 -> this.pods.create(DemoCluster.pod(namespace, "wordpress", extra, node, "Pending"));
			case 1 -> phase(namespace, extra, "Running");
			case 2 -> phase(namespace, "mysql-0", "Failed");
			case 3 -> this.pods.delete(namespace, "mysql-0");
			case 4 -> this.pods.create(DemoCluster.pod(namespace, "mysql", "mysql-0", node, "Running"));
			default -> this.pods.delete(namespace, otherWordpress(namespace, extra));
		}
		this.turn++;
	}

	private void phase(String namespace, String name, String phase) {
		V1Pod pod = this.pods.get(namespace, name);
		if (pod != null && pod.getStatus() != null) {
			pod.getStatus().setPhase(phase);
			this.pods.update(pod);
		}
	}

	private String otherWordpress(String namespace, String name) {
		return this.pods.list(namespace)
			.stream()
			.map((pod) -> String.valueOf(pod.getMetadata().getName()))
			.filter((other) -> other.startsWith("wordpress") && !other.equals(name))
			.findFirst()
			.orElse(name);
	}

}
