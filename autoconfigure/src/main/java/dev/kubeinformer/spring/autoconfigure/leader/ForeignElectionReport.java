package dev.kubeinformer.spring.autoconfigure.leader;

import java.util.List;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

import dev.kubeinformer.leader.Leadership;

/**
 * Reports the properties of leader election that have no effect because the application
 * has its own {@link Leadership} bean.
 *
 * @param beanFactory the beans of the context
 * @param environment the environment
 */
record ForeignElectionReport(ListableBeanFactory beanFactory, Environment environment) {

	/** Name of the auto-configured bean, to which the properties apply. */
	static final String OURS = "kubernetesLeadership";

	private static final List<String> PROPERTIES = List.of("cluster", "lease-duration", "renew-deadline",
			"retry-period", "sync-timeout", "release-on-stop", "on-lost", "lease.name", "lease.namespace");

	private static final Logger logger = LoggerFactory.getLogger(ForeignElectionReport.class);

	/**
	 * Logs the properties that are set but have no effect, only by name.
	 */
	void log() {
		List<String> unused = this.beanFactory.containsBean(OURS) ? List.of() : set().toList();
		if (!unused.isEmpty()) {
			logger.warn(
					"The application's own Leadership bean {} replaces the configured election; "
							+ "these properties have no effect: {}. If the bean is for other work, declare it "
							+ "with @Bean(defaultCandidate = false)",
					List.of(this.beanFactory.getBeanNamesForType(Leadership.class, true, false)),
					String.join(", ", unused));
		}
	}

	private Stream<String> set() {
		Binder binder = Binder.get(this.environment);
		return PROPERTIES.stream()
			.map((name) -> LeaderProperties.PREFIX + "." + name)
			.filter((name) -> StringUtils.hasText(binder.bind(name, String.class).orElse("")));
	}

}
