package dev.kubeinformer.docs.slice;

import java.util.List;
import java.util.stream.Collectors;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Pod;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Controller that reads a cache.
 */
@RestController
class PodController {

	private final Lister<V1Pod> pods;

	PodController(Lister<V1Pod> pods) {
		this.pods = pods;
	}

	@GetMapping("/pods")
	String names() {
		List<V1Pod> cached = this.pods.list();
		return cached.stream().map((pod) -> pod.getMetadata().getName()).collect(Collectors.joining(","));
	}

}
