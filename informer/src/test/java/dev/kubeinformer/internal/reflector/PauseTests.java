package dev.kubeinformer.internal.reflector;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class PauseTests {

	private final ReflectorTimings timings = ReflectorTimings.defaults();

	@ParameterizedTest
	@CsvSource({ "1, 0, 800", "2, 800, 1600", "3, 1600, 3200", "4, 3200, 6400", "5, 6400, 12800", "6, 12800, 25600",
			"7, 15000, 30000", "8, 15000, 30000", "1000, 15000, 30000" })
	void backoffDoublesWithJitterUpToTheCap(int failures, long from, long to) {
		Random random = new Random(42);
		Pause pause = Pause.backoff(failures, Duration.ZERO);
		List<Long> millis = IntStream.range(0, 1000)
			.mapToLong((i) -> pause.draw(this.timings, random).toMillis())
			.boxed()
			.toList();
		assertThat(millis).allMatch((each) -> each >= from && each <= to);
		if (to > from) {
			assertThat(millis.stream().distinct().count()).isGreaterThan(300);
		}
	}

	@Test
	void serverIsWaitedForAtLeastAsLongAsItAsksAndNotByAllAtOnce() {
		Random random = new Random(42);
		Pause pause = Pause.backoff(1, Duration.ofSeconds(7));
		List<Duration> waits = IntStream.range(0, 1000).mapToObj((i) -> pause.draw(this.timings, random)).toList();
		assertThat(waits)
			.allSatisfy((wait) -> assertThat(wait).isBetween(Duration.ofSeconds(7), Duration.ofMillis(7800)));
		assertThat(waits.stream().map(Duration::toMillis).distinct().count()).isGreaterThan(300);
	}

	@Test
	void serverThatAsksForDaysIsAskedAgainAfterFiveMinutes() {
		Duration wait = Pause.backoff(1, Duration.ofDays(3)).draw(this.timings, new Random(42));
		assertThat(wait).isBetween(Duration.ofMinutes(5), Duration.ofMinutes(5).plusMillis(800));
	}

	@Test
	void serverThatRefusesConnectionsIsAskedMoreOften() {
		Random random = new Random(42);
		for (int failures = 1; failures < 20; failures++) {
			assertThat(Pause.reconnect(failures).draw(this.timings, random))
				.isLessThanOrEqualTo(Duration.ofSeconds(10));
		}
	}

	@Test
	void nothingToWaitForIsNotWaitedFor() {
		assertThat(Pause.NONE.draw(this.timings, new Random(1))).isZero();
	}

}
