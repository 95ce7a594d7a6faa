package dev.kubeinformer.benchmark.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.benchmark.cluster.HungCluster.Sample;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of an application with a second cluster that accepts connections but never
 * answers.
 */
@Tag("slow")
class HungClusterTests {

	private static final Duration DELAY = Duration.ofMillis(100);

	private static final int FEW = 3;

	private static final int MANY = 15;

	private final HungCluster hung = new HungCluster();

	@AfterEach
	void close() {
		this.hung.close();
	}

	@Test
	void hungClusterShouldDelayNeitherStartNorReadinessNorEventsOfAnother() throws Exception {
		List<Sample> alone = new ArrayList<>();
		List<Sample> beside = new ArrayList<>();
		// The best of each, as whatever else runs on the machine only makes them slower.
		for (int i = 0; i < MANY && (i < FEW || !delays(alone, beside).isEmpty()); i++) {
			alone.add(this.hung.measure(false));
			beside.add(this.hung.measure(true));
		}
		assertThat(delays(alone, beside)).isEmpty();
	}

	@Test
	void removalOfAHungClusterShouldFreeItsThreadsConnectionsAndCache() throws Exception {
		assertThat(this.hung.measureRemoval()).isLessThan(Duration.ofSeconds(2));
	}

	private static List<String> delays(List<Sample> alone, List<Sample> beside) {
		List<String> delays = new ArrayList<>();
		check("start", alone, beside, Sample::start, delays);
		check("readiness", alone, beside, Sample::ready, delays);
		check("events", alone, beside, Sample::event, delays);
		return delays;
	}

	private static void check(String what, List<Sample> alone, List<Sample> beside, Function<Sample, Duration> figure,
			List<String> delays) {
		Duration best = best(alone, figure);
		Duration other = best(beside, figure);
		if (other.compareTo(best.plus(DELAY)) > 0) {
			delays.add("%s: %s alone, %s beside a hung cluster".formatted(what, best, other));
		}
	}

	private static Duration best(List<Sample> samples, Function<Sample, Duration> figure) {
		return samples.stream().map(figure).min(Duration::compareTo).orElse(Duration.ZERO);
	}

}
