package dev.kubeinformer.spring.docs;

import java.util.Objects;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.annotation.OnUpdate;

/**
 * The first handler of the page.
 */
@InformerHandler
class NodeCountHandler {

	private static final Logger logger = LoggerFactory.getLogger(NodeCountHandler.class);

	private final Lister<V1Node> nodes;

	NodeCountHandler(Lister<V1Node> nodes) {
		this.nodes = nodes;
	}

	@OnAdd
	void added(V1Pod pod) {
		logger.info("New: {}, on one of {} nodes", pod.getMetadata().getName(), this.nodes.list().size());
	}

	@OnUpdate
	void changed(V1Pod before, V1Pod after) {
		if (!Objects.equals(before.getSpec(), after.getSpec())) {
			logger.info("Changed: {}", after.getMetadata().getName());
		}
	}

	@OnDelete
	void deleted(V1Pod pod) {
		logger.info("Gone: {}", pod.getMetadata().getName());
	}

}
