package dev.kubeinformer.sample;

import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.openapi.models.V1Node;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.sample.page.LiveFeed;
import dev.kubeinformer.spring.annotation.InformerHandler;

/**
 * Handler that shows the events of nodes. It was written for the official client; only
 * the annotation was added.
 */
@InformerHandler
class NodeHandler implements ResourceEventHandler<V1Node> {

	private static final Logger logger = LoggerFactory.getLogger(NodeHandler.class);

	private final LiveFeed page;

	NodeHandler(LiveFeed page) {
		this.page = page;
	}

	@Override
	public void onAdd(V1Node node) {
		logger.info("ADDED   node {}", node.getMetadata().getName());
		this.page.show("nodeHandler", ResourceEvent.Type.ADD, node);
	}

	@Override
	public void onUpdate(V1Node before, V1Node after) {
		logger.debug("CHANGED node {}", after.getMetadata().getName());
		this.page.show("nodeHandler", ResourceEvent.Type.UPDATE, after);
	}

	@Override
	public void onDelete(V1Node node, boolean deletedFinalStateUnknown) {
		logger.info("DELETED node {}", node.getMetadata().getName());
		this.page.show("nodeHandler", ResourceEvent.Type.DELETE, node);
	}

}
