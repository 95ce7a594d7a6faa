package dev.kubeinformer.spring.autoconfigure.leader;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.StringUtils;

/**
 * Properties of leader election among the replicas of the application. A blank value
 * counts as not set, so the default applies. They are checked only if leader election is
 * enabled.
 *
 * @param enabled Whether the replicas of the application elect a leader with a Lease.
 * Otherwise every replica leads.
 * @param cluster Name of the cluster with the Lease; 'default' for the cluster of
 * kubernetes.client.
 * @param leaseDuration Time that a standby waits for a change of the Lease before it
 * acquires it. At least 2s more than the renew deadline.
 * @param renewDeadline Time that the leader keeps leading after it sent the last
 * successful renewal. At least 3 times the retry period.
 * @param retryPeriod Period of the renewals, and of the attempts of standbys.
 * @param syncTimeout Longest time that a replica waits for the caches of leader-only
 * components before it stands for election.
 * @param releaseOnStop Whether the Lease is released when the application stops, so that
 * another replica can lead at once. It is not released while leader-only work is still
 * running.
 * @param onLost Reaction of the replica to the loss of its term, other than by yielding
 * or stopping.
 * @param lease the Lease
 */
@ConfigurationProperties(LeaderProperties.PREFIX)
public record LeaderProperties(@DefaultValue("false") Boolean enabled, @DefaultValue("default") String cluster,
		@DefaultValue("15s") Duration leaseDuration, @DefaultValue("10s") Duration renewDeadline,
		@DefaultValue("2s") Duration retryPeriod, @DefaultValue("60s") Duration syncTimeout,
		@DefaultValue("true") Boolean releaseOnStop, @DefaultValue("stand-by") OnLost onLost,
		@DefaultValue Lease lease) {

	static final String PREFIX = "kubernetes.leader";

	public LeaderProperties {
		cluster = StringUtils.hasText(cluster) ? cluster.strip() : "default";
	}

	/**
	 * Properties of the Lease.
	 *
	 * @param name Name of the Lease, the same for all replicas of the application. By
	 * default the value of spring.application.name.
	 * @param namespace Namespace of the Lease; '@current' for the namespace of the
	 * kubeconfig's context or of the service account.
	 */
	public record Lease(@Nullable String name, @DefaultValue("@current") String namespace) {

		public Lease {
			namespace = StringUtils.hasText(namespace) ? namespace.strip() : LeaseNamespace.CURRENT;
		}

	}

	/**
	 * Reaction to the loss of a term.
	 */
	public enum OnLost {

		/** The replica stands for election again; its caches stay. */
		STAND_BY,

		/** The application is closed, with exit code 1. */
		EXIT

	}

}
