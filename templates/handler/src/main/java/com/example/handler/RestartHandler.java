package com.example.handler;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.annotation.OnUpdate;

/**
 * Reports pods whose containers were restarted, and the version of the kubelet there.
 */
@InformerHandler
class RestartHandler {

	private static final Logger logger = LoggerFactory.getLogger(RestartHandler.class);

	private final Lister<V1Node> nodes;

	RestartHandler(Lister<V1Node> nodes) {
		this.nodes = nodes;
	}

	@OnUpdate
	void changed(V1Pod before, V1Pod after) {
		int restarts = Restarts.of(after) - Restarts.of(before);
		if (restarts > 0) {
			logger.warn("{}/{} was restarted {} times, kubelet {}", after.getMetadata().getNamespace(),
					after.getMetadata().getName(), restarts, kubeletOf(after));
		}
	}

	@OnDelete
	void removed(V1Pod pod) {
		logger.info("{}/{} is gone after {} restarts", pod.getMetadata().getNamespace(), pod.getMetadata().getName(),
				Restarts.of(pod));
	}

	private String kubeletOf(V1Pod pod) {
		V1Node node = this.nodes.get(pod.getSpec().getNodeName());
		return (node != null && node.getStatus() != null && node.getStatus().getNodeInfo() != null)
				? node.getStatus().getNodeInfo().getKubeletVersion() : "unknown";
	}

}
