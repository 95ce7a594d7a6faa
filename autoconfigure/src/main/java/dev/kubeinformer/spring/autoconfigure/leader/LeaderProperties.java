package dev.kubeinformer.spring.autoconfigure.leader;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Properties of the election of a leader among the replicas of the application. A blank
 * value is no value: the default holds. They are checked when a leader is elected, as an
 * application without election does not need them.
 */
@ConfigurationProperties(LeaderProperties.PREFIX)
public class LeaderProperties {

	static final String PREFIX = "kubernetes.leader";

	/**
	 * Whether the replicas of the application elect a leader by a Lease. Otherwise each
	 * one does what is meant for the leader.
	 */
	private boolean enabled;

	/**
	 * Name of the cluster that has the Lease, 'default' for that of kubernetes.client.
	 */
	private String cluster = "default";

	/**
	 * How long a follower waits for a change of the Lease before it takes it over. At
	 * least 2s more than the renew deadline.
	 */
	private Duration leaseDuration = Duration.ofSeconds(15);

	/**
	 * How long the leader leads after it sent the last renewal that succeeded. At least 3
	 * times the retry period.
	 */
	private Duration renewDeadline = Duration.ofSeconds(10);

	/**
	 * Period of the renewals, and of the attempts of followers.
	 */
	private Duration retryPeriod = Duration.ofSeconds(2);

	/**
	 * How long a replica waits at most, before it stands for election, for the caches of
	 * what only the leader does.
	 */
	private Duration syncTimeout = Duration.ofSeconds(60);

	/**
	 * Whether the Lease is released when the application stops, so that another replica
	 * leads at once. It is not while work of the leader goes on.
	 */
	private boolean releaseOnStop = true;

	/**
	 * What the replica does when its term is lost, which is not when it yields or stops.
	 */
	private OnLost onLost = OnLost.STAND_BY;

	private final Lease lease = new Lease();

	public boolean isEnabled() {
		return this.enabled;
	}

	public void setEnabled(@Nullable Boolean enabled) {
		if (enabled != null) {
			this.enabled = enabled;
		}
	}

	public String getCluster() {
		return this.cluster;
	}

	public void setCluster(@Nullable String cluster) {
		if (cluster != null && !cluster.isBlank()) {
			this.cluster = cluster.strip();
		}
	}

	public Duration getLeaseDuration() {
		return this.leaseDuration;
	}

	public void setLeaseDuration(@Nullable Duration leaseDuration) {
		if (leaseDuration != null) {
			this.leaseDuration = leaseDuration;
		}
	}

	public Duration getRenewDeadline() {
		return this.renewDeadline;
	}

	public void setRenewDeadline(@Nullable Duration renewDeadline) {
		if (renewDeadline != null) {
			this.renewDeadline = renewDeadline;
		}
	}

	public Duration getRetryPeriod() {
		return this.retryPeriod;
	}

	public void setRetryPeriod(@Nullable Duration retryPeriod) {
		if (retryPeriod != null) {
			this.retryPeriod = retryPeriod;
		}
	}

	public Duration getSyncTimeout() {
		return this.syncTimeout;
	}

	public void setSyncTimeout(@Nullable Duration syncTimeout) {
		if (syncTimeout != null) {
			this.syncTimeout = syncTimeout;
		}
	}

	public boolean isReleaseOnStop() {
		return this.releaseOnStop;
	}

	public void setReleaseOnStop(@Nullable Boolean releaseOnStop) {
		if (releaseOnStop != null) {
			this.releaseOnStop = releaseOnStop;
		}
	}

	public OnLost getOnLost() {
		return this.onLost;
	}

	public void setOnLost(@Nullable OnLost onLost) {
		if (onLost != null) {
			this.onLost = onLost;
		}
	}

	public Lease getLease() {
		return this.lease;
	}

	/**
	 * Properties of the Lease.
	 */
	public static class Lease {

		/**
		 * Name of the Lease, which all replicas of the application have in common. By
		 * default the value of spring.application.name.
		 */
		private @Nullable String name;

		/**
		 * Namespace of the Lease; '@current' for that of the kubeconfig's context or of
		 * the service account.
		 */
		private String namespace = "@current";

		public @Nullable String getName() {
			return this.name;
		}

		public void setName(@Nullable String name) {
			this.name = name;
		}

		public String getNamespace() {
			return this.namespace;
		}

		public void setNamespace(@Nullable String namespace) {
			if (namespace != null && !namespace.isBlank()) {
				this.namespace = namespace.strip();
			}
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
