package dev.kubeinformer.benchmark.compare.client;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Latencies}.
 */
class LatenciesTests {

	@Test
	void quantilesShouldBeNearestRanks() {
		Latencies latencies = new Latencies();
		assertThat(latencies.quantile(0.99)).isZero();
		for (int millis = 200_000; millis > 0; millis--) {
			latencies.add(millis * 1_000_000L);
		}
		assertThat(latencies.count()).isEqualTo(200_000);
		assertThat(latencies.quantile(0.5)).isEqualTo(100_000);
		assertThat(latencies.quantile(0.99)).isEqualTo(198_000);
		assertThat(latencies.quantile(1)).isEqualTo(200_000);
	}

}
