package dev.kubeinformer.sample.page;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.cluster.InformerClusters;

/**
 * Controller that shows a cache. It reads the snapshot and sends no request to the API
 * server.
 */
@RestController
class CacheController {

	private final InformerClusters clusters;

	CacheController(InformerClusters clusters) {
		this.clusters = clusters;
	}

	@GetMapping("/cache")
	CacheView look(@RequestParam String informer, @RequestParam(defaultValue = "") String name,
			@RequestParam(defaultValue = "") String namespace, @RequestParam(defaultValue = "") String labels) {
		try {
			return CacheView.of(informer(informer).snapshot(), name.strip(), namespace.strip(), labels);
		}
		catch (IllegalArgumentException ex) {
			// The message concerns the selector, which the user typed.
			throw new ResponseStatusException(HttpStatus.BAD_REQUEST, ex.getMessage(), ex);
		}
	}

	private Informer<?> informer(String id) {
		return PageState.informers(this.clusters)
			.filter((informer) -> informer.id().equals(id))
			.findFirst()
			.orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND,
					"Informer '%s' does not exist".formatted(id)));
	}

}
