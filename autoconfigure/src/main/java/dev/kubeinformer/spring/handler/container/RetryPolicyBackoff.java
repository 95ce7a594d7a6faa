package dev.kubeinformer.spring.handler.container;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.util.backoff.BackOffExecution;

import dev.kubeinformer.handler.RetryBackoff;
import dev.kubeinformer.spring.settings.InformerSettings;
import dev.kubeinformer.spring.settings.Setting;

/**
 * Retries of a handler according to a {@link RetryPolicy}. It has no state: for each
 * failure, the sequence of delays is computed from its start.
 *
 * @param policy the policy
 */
record RetryPolicyBackoff(RetryPolicy policy) implements RetryBackoff {

	private static final Setting<Integer> MAX_RETRIES = Setting.property("retry.maxRetries", Integer.class);

	private static final Setting<Duration> DELAY = Setting.property("retry.delay", Duration.class);

	private static final Setting<Double> MULTIPLIER = Setting.property("retry.multiplier", Double.class);

	private static final Setting<Duration> MAX_DELAY = Setting.property("retry.maxDelay", Duration.class);

	private static final Setting<Duration> JITTER = Setting.property("retry.jitter", Duration.class);

	/** Settings of a handler's {@code retry}. */
	static final List<Setting<?>> SETTINGS = List.of(MAX_RETRIES, DELAY, MULTIPLIER, MAX_DELAY, JITTER);

	/**
	 * Returns the backoff for settings.
	 * @param settings the settings
	 * @return the backoff
	 * @throws IllegalArgumentException if a value is out of range
	 */
	static RetryPolicyBackoff of(InformerSettings settings) {
		RetryPolicy.Builder builder = RetryPolicy.builder();
		PropertyMapper map = PropertyMapper.get();
		map.from(() -> settings.get(MAX_RETRIES)).to(builder::maxRetries);
		map.from(() -> settings.get(DELAY)).to(builder::delay);
		map.from(() -> settings.get(MULTIPLIER)).to(builder::multiplier);
		map.from(() -> settings.get(MAX_DELAY)).to(builder::maxDelay);
		map.from(() -> settings.get(JITTER)).to(builder::jitter);
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
