package com.example.clusters;

import io.kubernetes.client.openapi.models.V1Pod;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;

/**
 * Reports the pods of each cluster that has a name. Each cluster has a queue of its own,
 * so one that is away delays nothing of the others.
 */
@InformerHandler(cluster = "*")
class FleetHandler {

	private static final Logger logger = LoggerFactory.getLogger(FleetHandler.class);

	@OnAdd
	void added(ResourceEvent<V1Pod> event) {
		logger.info("{} has the pod {}", event.cluster(), nameOf(event));
	}

	@OnDelete
	void removed(ResourceEvent<V1Pod> event) {
		logger.info("{} has the pod {} no more", event.cluster(), nameOf(event));
	}

	private static String nameOf(ResourceEvent<V1Pod> event) {
		return event.object().getMetadata().getNamespace() + "/" + event.object().getMetadata().getName();
	}

}
