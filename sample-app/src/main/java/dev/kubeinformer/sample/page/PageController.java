package dev.kubeinformer.sample.page;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Controller of the page's requests.
 */
@RestController
class PageController {

	private final LiveFeed feed;

	private final LiveClients clients;

	private final Map<String, Experiment> experiments;

	private final Map<String, Instant> ends = new ConcurrentHashMap<>();

	PageController(LiveFeed feed, LiveClients clients, Map<String, Experiment> experiments) {
		this.feed = feed;
		this.clients = clients;
		this.experiments = experiments;
	}

	@GetMapping(path = "/live", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	ResponseEntity<SseEmitter> live(@RequestHeader(name = "Last-Event-ID", defaultValue = "0") long lastId) {
		if (!this.clients.hasRoom()) {
			throw new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE, "Too many pages are open");
		}
		return ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(this.feed.open(lastId));
	}

	@GetMapping("/experiments")
	Set<String> experiments() {
		return this.experiments.keySet();
	}

	@PostMapping("/experiments/{name}")
	Started start(@PathVariable String name) {
		Experiment experiment = this.experiments.get(name);
		if (experiment == null) {
			throw new ResponseStatusException(HttpStatus.NOT_FOUND,
					"Experiment '%s' does not exist; use one of %s".formatted(name, this.experiments.keySet()));
		}
		Instant end = this.ends.compute(name, (key, before) -> isOver(before) ? end(experiment) : before);
		return new Started(Math.max(0, Duration.between(Instant.now(), end).toMillis()));
	}

	private static boolean isOver(@Nullable Instant end) {
		return end == null || end.isBefore(Instant.now());
	}

	private static Instant end(Experiment experiment) {
		return Instant.now().plus(experiment.start());
	}

	/**
	 * Response for a started experiment.
	 *
	 * @param lasts the remaining duration, in milliseconds
	 */
	record Started(long lasts) {

	}

}
