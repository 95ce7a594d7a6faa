package dev.kubeinformer.spring.autoconfigure.leader;

import java.util.function.Supplier;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

import dev.kubeinformer.leader.LeaderSpec;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.PropertyRanges;
import dev.kubeinformer.types.Shard;

/**
 * Creates the settings of the elector from the properties, and checks them.
 *
 * @param properties the properties
 * @param environment the environment
 * @param currentNamespace the supplier of the namespace for {@code @current}
 * @param shard the fixed shard of this replica; {@code null} if there are no fixed shards
 */
record LeaseSettings(LeaderProperties properties, Environment environment, Supplier<String> currentNamespace,
		@Nullable Shard shard) {

	/** Format of a DNS subdomain, as required for the name of a Lease. */
	private static final Pattern NAME = Pattern
		.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

	private static final int LONGEST_NAME = 253;

	/**
	 * Creates the settings.
	 * @return the settings
	 * @throws InformerConfigurationException if the namespace or the name of the Lease is
	 * missing or not valid, or a property is not valid
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
		new LeaseTimes(LeaderProperties.PREFIX, this.properties.leaseDuration(), this.properties.renewDeadline(),
				this.properties.retryPeriod())
			.check("so that a leader's term is over before another replica leads");
		new PropertyRanges(LeaderProperties.PREFIX).zeroOrMore("sync-timeout", this.properties.syncTimeout());
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
		// Check the name with the last index, because it is the longest.
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
		return new LeaseNamespace(key("lease.namespace"), this.properties.lease().namespace(), this.currentNamespace)
			.resolve("The Lease of the leader");
	}

	private static String key(String property) {
		return LeaderProperties.PREFIX + "." + property;
	}

}
