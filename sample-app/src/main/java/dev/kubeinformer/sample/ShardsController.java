package dev.kubeinformer.sample;

import org.springframework.context.annotation.Profile;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Serves the state of the three replicas, and ends and starts them.
 */
@RestController
@Profile("shards & !cluster")
class ShardsController {

	private final ShardReplicas replicas;

	ShardsController(ShardReplicas replicas) {
		this.replicas = replicas;
	}

	@GetMapping("/shards")
	ShardReplicas.State state() {
		return this.replicas.state();
	}

	@PostMapping("/shards/{name}/end")
	ShardReplicas.State end(@PathVariable String name) {
		this.replicas.end(name);
		return this.replicas.state();
	}

	@PostMapping("/shards/{name}/start")
	ShardReplicas.State start(@PathVariable String name) {
		this.replicas.start(name);
		return this.replicas.state();
	}

}
