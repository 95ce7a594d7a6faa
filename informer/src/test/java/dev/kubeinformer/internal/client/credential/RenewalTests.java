package dev.kubeinformer.internal.client.credential;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link Renewal}.
 */
class RenewalTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

	@ParameterizedTest
	@CsvSource({ "PT30S, PT27S", "PT10M, PT9M", "PT15M, PT14M", "PT24H, PT23H59M", "PT0S, PT0S", "PT-1H, PT-1H" })
	void renewalShouldBeDueATenthOfTheLifeBeforeTheExpiry(Duration life, Duration due) {
		assertThat(Renewal.dueAt(NOW, NOW.plus(life))).isEqualTo(NOW.plus(due));
	}

	@Test
	void farExpiryShouldBeCounted() {
		assertThat(Renewal.dueAt(NOW, Instant.MAX)).isEqualTo(Instant.MAX.minusSeconds(60));
	}

	@ParameterizedTest
	@CsvSource({ "0, PT5S", "1, PT5S", "2, PT10S", "4, PT40S", "7, PT5M", "2000000000, PT5M" })
	void pauseShouldGrow(int attempts, Duration pause) {
		assertThat(Renewal.pause(attempts, NOW, null)).isEqualTo(pause);
		assertThat(Renewal.pause(attempts, NOW, NOW)).isEqualTo(pause);
		assertThat(Renewal.pause(attempts, NOW, NOW.plusSeconds(600))).isEqualTo(pause);
	}

	@Test
	void pauseShouldEndAtTheExpiry() {
		assertThat(Renewal.pause(1, NOW, NOW.plusSeconds(3))).isEqualTo(Duration.ofSeconds(3));
		assertThat(Renewal.pause(1, NOW, NOW.plusSeconds(5))).isEqualTo(Duration.ofSeconds(5));
	}

	@Test
	void earlierTimeShouldCount() {
		assertThat(Renewal.earlier(null, null)).isNull();
		assertThat(Renewal.earlier(NOW, null)).isEqualTo(NOW);
		assertThat(Renewal.earlier(null, NOW)).isEqualTo(NOW);
		assertThat(Renewal.earlier(NOW.plusSeconds(1), NOW)).isEqualTo(NOW);
	}

}
