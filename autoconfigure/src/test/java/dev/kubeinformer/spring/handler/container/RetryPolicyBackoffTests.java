package dev.kubeinformer.spring.handler.container;

import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.springframework.core.retry.RetryPolicy;

import dev.kubeinformer.spring.settings.InformerSettings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RetryPolicyBackoffTests {

	private final Exception failure = new IllegalStateException("any");

	@Test
	void delayShouldGrowUpToTheLongestAndThenEnd() {
		RetryPolicyBackoff backoff = RetryPolicyBackoff
			.of(InformerSettings.of(Map.of("retry.maxRetries", 4, "retry.delay", Duration.ofSeconds(1),
					"retry.multiplier", 3.0, "retry.maxDelay", Duration.ofSeconds(10), "retry.jitter", Duration.ZERO)));
		assertThat(backoff.delay(1, this.failure)).isEqualTo(Duration.ofSeconds(1));
		assertThat(backoff.delay(2, this.failure)).isEqualTo(Duration.ofSeconds(3));
		assertThat(backoff.delay(3, this.failure)).isEqualTo(Duration.ofSeconds(9));
		assertThat(backoff.delay(4, this.failure)).isEqualTo(Duration.ofSeconds(10));
		assertThat(backoff.delay(5, this.failure)).isNull();
		assertThat(backoff.delay(1, this.failure)).isEqualTo(Duration.ofSeconds(1));
	}

	@Test
	void delayWhenNoRetryIsWantedShouldBeNull() {
		RetryPolicyBackoff backoff = RetryPolicyBackoff
			.of(InformerSettings.of(Map.of("retry.maxRetries", 0, "retry.delay", Duration.ofSeconds(1))));
		assertThat(backoff.delay(1, this.failure)).isNull();
	}

	@Test
	void delayWhenThePolicyExcludesTheExceptionShouldBeNull() {
		RetryPolicyBackoff backoff = new RetryPolicyBackoff(
				RetryPolicy.builder().excludes(IllegalStateException.class).build());
		assertThat(backoff.delay(1, this.failure)).isNull();
		assertThat(backoff.delay(1, new IllegalArgumentException("other"))).isNotNull();
	}

	@Test
	void settingOutOfItsRangeShouldBeRefused() {
		InformerSettings negative = InformerSettings.of(Map.of("retry.maxRetries", -1));
		assertThatIllegalArgumentException().isThrownBy(() -> RetryPolicyBackoff.of(negative))
			.withMessageContaining("-1");
	}

}
