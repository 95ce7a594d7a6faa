package dev.kubeinformer.spring.autoconfigure.leader;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.StringUtils;

/**
 * Properties of the election of a leader among the replicas of the application. A blank
 * value is no value: the default holds. They are checked when a leader is elected, as an
 * application without election does not need them.
 *
 * @param enabled Whether the replicas of the application elect a leader by a Lease.
 * Otherwise each one does what is meant for the leader.
 * @param cluster Name of the cluster that has the Lease, 'default' for that of
 * kubernetes.client.
 * @param leaseDuration How long a follower waits for a change of the Lease before it
 * takes it over. At least 2s more than the renew deadline.
 * @param renewDeadline How long the leader leads after it sent the last renewal that
 * succeeded. At least 3 times the retry period.
 * @param retryPeriod Period of the renewals, and of the attempts of followers.
 * @param syncTimeout How long a replica waits at most, before it stands for election, for
 * the caches of what only the leader does.
 * @param releaseOnStop Whether the Lease is released when the application stops, so that
 * another replica leads at once. It is not while work of the leader goes on.
 * @param onLost What the replica does when its term is lost, which is not when it yields
 * or stops.
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
	 * @param name Name of the Lease, which all replicas of the application have in
	 * common. By default the value of spring.application.name.
	 * @param namespace Namespace of the Lease; '@current' for that of the kubeconfig's
	 * context or of the service account.
	 */
	public record Lease(@Nullable String name, @DefaultValue("@current") String namespace) {

		public Lease {
			namespace = StringUtils.hasText(namespace) ? namespace.strip() : LeaseSettings.CURRENT;
		}

	}

	/**
	 * What follows the loss of a term.
	 */
	public enum OnLost {

		/** The replica stands for election again; its caches stay. */
		STAND_BY,

		/** The application is closed, with exit code 1. */
		EXIT

	}

}
