package dev.kubeinformer.spring.autoconfigure.shard;

import java.time.Duration;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

import io.kubernetes.client.openapi.ApiClient;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

import dev.kubeinformer.ShardMembership;
import dev.kubeinformer.shard.ShardsSpec;
import dev.kubeinformer.spring.autoconfigure.leader.LeaseClusters;
import dev.kubeinformer.spring.autoconfigure.leader.LeaseNamespace;
import dev.kubeinformer.spring.autoconfigure.leader.LeaseTimes;
import dev.kubeinformer.spring.autoconfigure.properties.InformersProperties;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.PropertyRanges;
import dev.kubeinformer.types.Slots;

/**
 * Creates the {@link ShardMembership} of this replica from the properties, and checks
 * them.
 *
 * @param properties the properties
 * @param environment the environment
 * @param drainTimeout the time limit for pending events and running reconcilers
 */
record MembershipFactory(InformersProperties.Shard properties, Environment environment, Duration drainTimeout) {

	static final String PREFIX = "kubernetes.informers.shard.";

	/**
	 * Time that the membership waits in addition to the drain timeout. Handlers and
	 * reconcilers normally end within the drain timeout.
	 */
	static final Duration DRAIN_MARGIN = Duration.ofSeconds(5);

	/**
	 * Format of the name of a group, which is a label and the beginning of the names of
	 * Leases.
	 */
	private static final Pattern GROUP = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");

	private static final int LONGEST_GROUP = 63;

	/**
	 * Creates the membership.
	 * @param cluster the cluster with the Leases
	 * @param guarded the function that checks a client before it is used, and returns it
	 * @return the membership, which is not started
	 * @throws InformerConfigurationException if a property is not valid
	 */
	ShardMembership create(LeaseClusters.LeaseCluster cluster, UnaryOperator<ApiClient> guarded) {
		checkTimes();
		String group = group();
		ShardsSpec spec = ShardsSpec.of(namespace(cluster), group, division())
			.withTimes(this.properties.leaseDuration(), this.properties.renewDeadline(), this.properties.retryPeriod())
			.withSettleTime(this.properties.settleTime())
			.withSyncTimeout(this.properties.syncTimeout())
			.withDrainTimeout(this.drainTimeout.plus(DRAIN_MARGIN));
		String identity = this.properties.identity();
		if (StringUtils.hasText(identity)) {
			spec = spec.withIdentity(identity.strip());
		}
		return ShardMembership.of(() -> guarded.apply(cluster.client().get()), spec);
	}

	private Slots division() {
		// The key was checked when the settings were read.
		return new Slots(Objects.requireNonNull(this.properties.key()), this.properties.slots());
	}

	private void checkTimes() {
		String prefix = PREFIX.substring(0, PREFIX.length() - 1);
		new LeaseTimes(prefix, this.properties.leaseDuration(), this.properties.renewDeadline(),
				this.properties.retryPeriod())
			.check("so that a replica has given up its slots before another one takes them");
		PropertyRanges ranges = new PropertyRanges(prefix);
		ranges.zeroOrMore("settle-time", this.properties.settleTime());
		ranges.zeroOrMore("sync-timeout", this.properties.syncTimeout());
		ranges.moreThanZero("unheld-after", this.properties.unheldAfter());
	}

	private String namespace(LeaseClusters.LeaseCluster cluster) {
		return new LeaseNamespace(PREFIX + "lease-namespace", this.properties.leaseNamespace(), cluster.namespace())
			.resolve("The Lease of this replica");
	}

	private String group() {
		String given = this.properties.group();
		if (StringUtils.hasText(given)) {
			return checkGroup(given.strip(), "'%sgroup'".formatted(PREFIX));
		}
		String application = this.environment.getProperty("spring.application.name");
		if (!StringUtils.hasText(application)) {
			throw new InformerConfigurationException(
					"Slots move between replicas ('%smode' is 'leases'), but the group of the replicas has no name"
						.formatted(PREFIX),
					("Set 'spring.application.name', which names the group by default, or '%sgroup'. It is the same "
							+ "for all replicas of the application, and for no other application of the namespace.")
						.formatted(PREFIX));
		}
		return checkGroup(application.strip(), "'spring.application.name', which names it by default");
	}

	private static String checkGroup(String group, String origin) {
		if (group.length() > LONGEST_GROUP || !GROUP.matcher(group).matches()) {
			throw new InformerConfigurationException(
					"The group of the replicas cannot have the name '%s' (from %s): the API server would reject it"
						.formatted(group, origin),
					"Set '%sgroup' to a DNS label: at most %d lower-case letters, digits and '-', beginning and ending "
						.formatted(PREFIX, LONGEST_GROUP) + "with a letter or digit.");
		}
		return group;
	}

}
