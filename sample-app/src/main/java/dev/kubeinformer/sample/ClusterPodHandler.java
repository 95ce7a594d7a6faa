package dev.kubeinformer.sample;

import io.kubernetes.client.openapi.models.V1Pod;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Profile;

import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.sample.page.LiveFeed;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.annotation.OnUpdate;

/**
 * Handler that shows the events of pods in all named clusters: one bean, with a cache and
 * a queue for each cluster.
 */
@InformerHandler(cluster = "*")
@Profile("clusters")
class ClusterPodHandler {

	private static final Logger logger = LoggerFactory.getLogger(ClusterPodHandler.class);

	private final LiveFeed page;

	ClusterPodHandler(LiveFeed page) {
		this.page = page;
	}

	@OnAdd
	@OnUpdate
	@OnDelete
	void happened(ResourceEvent<V1Pod> event) {
		logger.info("{} {} in cluster {}", event.type(), event.object().getMetadata().getName(), event.cluster());
		this.page.show(event.cluster() + ".clusterPodHandler", event, "in cluster " + event.cluster());
	}

}
