package dev.kubeinformer.chaos;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import dev.kubeinformer.test.FaultProxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Numbers of threads and connections of the informers at rest.
 *
 * @param threads the names of the threads, and how many there are of each
 * @param connections the number of connections
 */
record Levels(Map<String, Long> threads, int connections) {

	/**
	 * A namespace more has a thread more, HTTP/1.1 a connection more, and a leader the
	 * workers of its reconciler.
	 */
	private static final int TOLERANCE = 8;

	private static final List<String> NAMES = List.of("informer-", "reconciler-", "leader-", "OkHttp");

	private static final Duration PATIENCE = Duration.ofSeconds(90);

	static Levels of(FaultProxy network, List<Cohort> cohorts, Application application) {
		cohorts.forEach(Cohort::closeIdleConnections);
		application.replicas().forEach(Replica::closeIdleConnections);
		Map<String, Long> threads = Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> NAMES.stream().anyMatch(name::startsWith))
			.collect(Collectors.groupingBy((name) -> name, TreeMap::new, Collectors.counting()));
		int connections = application.replicas().stream().mapToInt((each) -> each.network().connections()).sum();
		return new Levels(threads, network.connections() + connections);
	}

	/**
	 * Waits until there are no more than these.
	 * @param network the network
	 * @param cohorts the informers
	 * @param application the replicas
	 */
	void awaitAgain(FaultProxy network, List<Cohort> cohorts, Application application) {
		await().atMost(PATIENCE).untilAsserted(() -> {
			Levels now = of(network, cohorts, application);
			assertThat(now.count()).as("threads %s, in the beginning %s", now.threads(), this.threads)
				.isLessThanOrEqualTo(count() + TOLERANCE);
			assertThat(now.connections()).as("connections").isLessThanOrEqualTo(this.connections + TOLERANCE);
		});
	}

	private long count() {
		return this.threads.values().stream().mapToLong(Long::longValue).sum();
	}

}
