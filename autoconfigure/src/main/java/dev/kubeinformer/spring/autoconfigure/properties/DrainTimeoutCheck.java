package dev.kubeinformer.spring.autoconfigure.properties;

import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Check that handlers and reconcilers may finish before Spring gives their phase of the
 * shutdown up: what they use would be closed while they work.
 */
public final class DrainTimeoutCheck implements InitializingBean {

	private static final String PHASE_TIMEOUT = "spring.lifecycle.timeout-per-shutdown-phase";

	private static final Duration DEFAULT_PHASE_TIMEOUT = Duration.ofSeconds(30);

	private static final Logger logger = LoggerFactory.getLogger(DrainTimeoutCheck.class);

	private final InformersProperties properties;

	private final Environment environment;

	public DrainTimeoutCheck(InformersProperties properties, Environment environment) {
		this.properties = properties;
		this.environment = environment;
	}

	@Override
	public void afterPropertiesSet() {
		Duration drain = this.properties.shutdown().drainTimeout();
		Duration phase = Binder.get(this.environment).bind(PHASE_TIMEOUT, Duration.class).orElse(DEFAULT_PHASE_TIMEOUT);
		if (drain.compareTo(phase) >= 0) {
			logger.warn(
					"'kubernetes.informers.shutdown.drain-timeout' ({}) is not below '{}' ({}): at shutdown Spring "
							+ "closes what handlers and reconcilers use before their time is over",
					drain, PHASE_TIMEOUT, phase);
		}
	}

}
