package dev.kubeinformer.spring.test.docs.clusters;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.kubernetes.client.openapi.models.V1Pod;

import dev.kubeinformer.ResourceEvent;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;

/**
 * A handler of two clusters, as on the page.
 */
@InformerHandler(cluster = { "edge", "west" })
class FleetHandler {

	private final Set<String> seen = ConcurrentHashMap.newKeySet();

	@OnAdd
	void added(ResourceEvent<V1Pod> event) {
		this.seen.add(event.cluster() + ": " + event.object().getMetadata().getName());
	}

	@OnDelete
	void removed(ResourceEvent<V1Pod> event) {
		this.seen.remove(event.cluster() + ": " + event.object().getMetadata().getName());
	}

	Set<String> seen() {
		return this.seen;
	}

}
