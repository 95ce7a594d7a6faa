package dev.kubeinformer.handler;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ExponentialBackoffTests {

	private final Exception cause = new IllegalStateException();

	@Test
	void delaysGrowUpToTheLongestAndEnd() {
		assertThat(delays(backoff(0.5), 9)).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(2),
				Duration.ofSeconds(4), Duration.ofSeconds(8), Duration.ofSeconds(10), null, null, null, null);
	}

	@Test
	void delaysAreSpreadByTheJitter() {
		assertThat(delays(backoff(0), 5)).startsWith(Duration.ofMillis(800), Duration.ofMillis(1800));
		assertThat(delays(backoff(1), 5)).startsWith(Duration.ofMillis(1200), Duration.ofMillis(2200))
			.endsWith(Duration.ofSeconds(10));
		RetryBackoff thrown = RetryBackoff.exponential(5, Duration.ofSeconds(1), 2, Duration.ofSeconds(10),
				Duration.ofSeconds(5));
		List<Duration> many = IntStream.range(0, 1000).mapToObj((i) -> thrown.delay(1, this.cause)).toList();
		assertThat(many).allSatisfy((delay) -> assertThat(delay).isBetween(Duration.ZERO, Duration.ofSeconds(6)))
			.anySatisfy((delay) -> assertThat(delay).isZero())
			.anySatisfy((delay) -> assertThat(delay).isGreaterThan(Duration.ofSeconds(5)));
	}

	@Test
	void manyRetriesDoNotOverflow() {
		RetryBackoff endless = RetryBackoff.exponential(Integer.MAX_VALUE, Duration.ofSeconds(1), 10,
				Duration.ofMinutes(1), Duration.ZERO);
		assertThat(endless.delay(Integer.MAX_VALUE, this.cause)).isEqualTo(Duration.ofMinutes(1));
	}

	@Test
	void noneNeverTriesAgain() {
		assertThat(RetryBackoff.none().delay(1, this.cause)).isNull();
	}

	@Test
	void nonsenseIsRefused() {
		Duration second = Duration.ofSeconds(1);
		assertThatIllegalArgumentException().isThrownBy(() -> RetryBackoff.exponential(-1, second, 2, second, second));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> RetryBackoff.exponential(1, second.negated(), 2, second, second));
		assertThatIllegalArgumentException().isThrownBy(() -> RetryBackoff.exponential(1, second, 0.5, second, second))
			.withMessageContaining("'0.5'");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> RetryBackoff.exponential(1, second, Double.NaN, second, second));
	}

	private RetryBackoff backoff(double random) {
		return new ExponentialBackoff(5, Duration.ofSeconds(1), 2, Duration.ofSeconds(10), Duration.ofMillis(200),
				() -> random);
	}

	private List<Duration> delays(RetryBackoff backoff, int count) {
		return IntStream.rangeClosed(1, count).mapToObj((n) -> backoff.delay(n, this.cause)).toList();
	}

}
