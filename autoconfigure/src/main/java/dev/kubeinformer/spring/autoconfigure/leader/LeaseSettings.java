package dev.kubeinformer.spring.autoconfigure.leader;

import java.time.Duration;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

import dev.kubeinformer.leader.LeaderSpec;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.InvalidPropertyValueException;
import dev.kubeinformer.spring.settings.PropertyRanges;
import dev.kubeinformer.types.Shard;

/**
 * Creates the settings of the elector from the properties, and checks them.
 *
 * @param properties the properties
 * @param environment the environment
 * @param currentNamespace the supplier of the namespace for {@code @current}
 * @param shard the shard of this replica; {@code null} if there are none
 */
record LeaseSettings(LeaderProperties properties, Environment environment, Supplier<String> currentNamespace,
		@Nullable Shard shard) {

	/** Placeholder for the namespace of the kubeconfig's context or service account. */
	static final String CURRENT = "@current";

	/**
	 * Time between the end of a term and the acquisition of the Lease by another replica.
	 */
	private static final Duration MARGIN = Duration.ofSeconds(2);

	/** Minimum number of renewal attempts within a renew deadline. */
	private static final int ATTEMPTS = 3;

	/** Format of a DNS subdomain, as required for the name of a Lease. */
	private static final Pattern NAME = Pattern
		.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

	private static final int LONGEST_NAME = 253;

	/** Format of a DNS label, as required for the name of a namespace. */
	private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");

	private static final int LONGEST_NAMESPACE = 63;

	/**
	 * Creates the settings.
	 * @return the settings
	 * @throws InformerConfigurationException if the namespace or the name of the Lease is missing or not valid, or a property is not valid
	 */
	LeaderSpec spec() {
		checkTimes();
		return LeaderSpec.of(namespace(), name())
			.withShard(this.shard)
			.withTimes(this.properties.leaseDuration(), this.properties.renewDeadline(), this.properties.retryPeriod())
			.withSyncTimeout(this.properties.syncTimeout())
			.withReleaseOnStop(this.properties.releaseOnStop());
	}

	private void checkTimes() {
		Duration lease = this.properties.leaseDuration();
		Duration deadline = this.properties.renewDeadline();
		Duration retry = this.properties.retryPeriod();
		PropertyRanges ranges = new PropertyRanges(LeaderProperties.PREFIX);
		ranges.moreThanZero("lease-duration", lease);
		ranges.moreThanZero("renew-deadline", deadline);
		ranges.moreThanZero("retry-period", retry);
		ranges.zeroOrMore("sync-timeout", this.properties.syncTimeout());
		if (lease.toMillis() % 1000 != 0) {
			throw new InvalidPropertyValueException(key("lease-duration"), text(lease),
					"must be a number of whole seconds, as a Lease counts");
		}
		if (lease.compareTo(deadline.plus(MARGIN)) < 0) {
			throw new InvalidPropertyValueException(key("lease-duration"), text(lease),
					"must be at least %s more than '%s' (%s), so that a leader's term is over before another replica leads"
						.formatted(text(MARGIN), key("renew-deadline"), text(deadline)));
		}
		if (deadline.compareTo(retry.multipliedBy(ATTEMPTS)) < 0) {
			throw new InvalidPropertyValueException(key("renew-deadline"), text(deadline),
					"must be at least %d times '%s' (%s), so that a single failed renewal does not end the term"
						.formatted(ATTEMPTS, key("retry-period"), text(retry)));
		}
	}

	private String name() {
		String given = this.properties.lease().name();
		if (StringUtils.hasText(given)) {
			return checkName(given.strip(), "'%s'".formatted(key("lease.name")));
		}
		String application = this.environment.getProperty("spring.application.name");
		if (!StringUtils.hasText(application)) {
			throw new InformerConfigurationException(
					"Leader election is enabled ('kubernetes.leader.enabled=true'), but the Lease has no name",
					"Set 'spring.application.name', which names the Lease by default, or 'kubernetes.leader.lease.name'. "
							+ "It is the same for all replicas of the application, and for no other application of the namespace.");
		}
		return checkName(application.strip(), "'spring.application.name', which names it by default");
	}

	private String checkName(String name, String origin) {
		// The name with the last index is the longest.
		String longest = (this.shard != null) ? name + "-" + (this.shard.total() - 1) : name;
		if (longest.length() > LONGEST_NAME || !NAME.matcher(longest).matches()) {
			throw new InformerConfigurationException(
					"The Lease of the leader cannot have the name '%s' (from %s): the API server would reject it"
						.formatted(longest, origin),
					"Set 'kubernetes.leader.lease.name' to a DNS-1123 name: at most 253 lower-case letters, digits, '-' "
							+ "and '.', beginning and ending with a letter or digit.");
		}
		return name;
	}

	private String namespace() {
		String given = this.properties.lease().namespace();
		if (given.equals(CURRENT)) {
			try {
				return this.currentNamespace.get();
			}
			catch (IllegalArgumentException ex) {
				throw new InformerConfigurationException(
						("The Lease of the leader has no namespace: '%s' is '%s', the default, "
								+ "and there is neither a kubeconfig nor a service account that would name it")
							.formatted(key("lease.namespace"), CURRENT),
						"Set 'kubernetes.leader.lease.namespace' to the namespace that the application runs in.", ex);
			}
		}
		if (given.length() > LONGEST_NAMESPACE || !NAMESPACE.matcher(given).matches()) {
			throw new InvalidPropertyValueException(key("lease.namespace"), given,
					"must be the name of a namespace, or '%s'".formatted(CURRENT));
		}
		return given;
	}

	private static String key(String property) {
		return LeaderProperties.PREFIX + "." + property;
	}

	private static String text(Duration duration) {
		return (duration.getNano() == 0) ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
	}

}
