package com.example.handler;

import java.util.Map;
import java.util.TreeMap;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1ContainerStatus;
import io.kubernetes.client.openapi.models.V1Pod;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * Shows the restarts of the pods of a namespace, from the cache that the handler's events
 * come from: no request to the API server.
 */
@RestController
class Restarts {

	private final Lister<V1Pod> pods;

	Restarts(Lister<V1Pod> pods) {
		this.pods = pods;
	}

	@GetMapping("/restarts/{namespace}")
	Map<String, Integer> restarts(@PathVariable String namespace) {
		Map<String, Integer> restarts = new TreeMap<>();
		for (V1Pod pod : this.pods.namespace(namespace).list()) {
			restarts.put(pod.getMetadata().getName(), of(pod));
		}
		return restarts;
	}

	static int of(V1Pod pod) {
		if (pod.getStatus() == null || pod.getStatus().getContainerStatuses() == null) {
			return 0;
		}
		return pod.getStatus().getContainerStatuses().stream().mapToInt(V1ContainerStatus::getRestartCount).sum();
	}

}
