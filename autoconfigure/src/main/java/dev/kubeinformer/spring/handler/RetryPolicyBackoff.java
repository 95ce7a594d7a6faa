package dev.kubeinformer.spring.handler;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.util.backoff.BackOffExecution;

import dev.kubeinformer.RetryBackoff;
import dev.kubeinformer.spring.settings.RetrySettings;

/**
 * The retries of a handler as a {@link RetryPolicy} says. Nothing is kept between two
 * failures of an event: the delays are counted off from the first one each time.
 */
final class RetryPolicyBackoff implements RetryBackoff {

	private final RetryPolicy policy;

	RetryPolicyBackoff(RetryPolicy policy) {
		this.policy = policy;
	}

	/**
	 * The retries that settings say.
	 * @param settings the settings
	 * @return the backoff
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	static RetryPolicyBackoff of(RetrySettings settings) {
		RetryPolicy.Builder builder = RetryPolicy.builder();
		PropertyMapper map = PropertyMapper.get();
		map.from(settings::maxRetries).to(builder::maxRetries);
		map.from(settings::delay).to(builder::delay);
		map.from(settings::multiplier).to(builder::multiplier);
		map.from(settings::maxDelay).to(builder::maxDelay);
		map.from(settings::jitter).to(builder::jitter);
		return new RetryPolicyBackoff(builder.build());
	}

	@Override
	public @Nullable Duration delay(int failures, Throwable cause) {
		if (!this.policy.shouldRetry(cause)) {
			return null;
		}
		BackOffExecution delays = this.policy.getBackOff().start();
		long delay = delays.nextBackOff();
		for (int i = 1; i < failures && delay != BackOffExecution.STOP; i++) {
			delay = delays.nextBackOff();
		}
		return (delay != BackOffExecution.STOP) ? Duration.ofMillis(delay) : null;
	}

}
