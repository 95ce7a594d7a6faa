package dev.kubeinformer.leader;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.types.Shard;

/**
 * Settings of an elector. It cannot be changed; each change gives a copy.
 */
public final class LeaderSpec {

	private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");

	private static final Pattern SUBDOMAIN = Pattern.compile(LABEL + "(\\." + LABEL + ")*");

	private static final int LONGEST_LABEL = 63;

	private static final int LONGEST_SUBDOMAIN = 253;

	/** What clocks may differ in rate, and requests under way may take. */
	private static final Duration MARGIN = Duration.ofSeconds(2);

	/** How many attempts to renew a term must have room in it. */
	private static final int ATTEMPTS = 3;

	private final String namespace;

	private final Lease lease;

	private final String identity;

	private final Times times;

	private final Duration syncTimeout;

	private final Duration drainTimeout;

	private final boolean releaseOnStop;

	private LeaderSpec(String namespace, Lease lease, String identity, Times times, Duration syncTimeout,
			Duration drainTimeout, boolean releaseOnStop) {
		this.namespace = namespace;
		this.lease = lease;
		this.identity = identity;
		this.times = times;
		this.syncTimeout = syncTimeout;
		this.drainTimeout = drainTimeout;
		this.releaseOnStop = releaseOnStop;
	}

	/**
	 * Returns the settings for a Lease: a lease duration of 15 s, a renew deadline of 10
	 * s, a retry period of 2 s, at most 60 s to wait for caches, at most 30 s to drain,
	 * and a release at the end. The identity is the name of the host with a new UUID.
	 * @param namespace the namespace of the Lease
	 * @param name the name of the Lease
	 * @return the settings
	 * @throws IllegalArgumentException if one is no name
	 */
	public static LeaderSpec of(String namespace, String name) {
		if (namespace.length() > LONGEST_LABEL || !LABEL.matcher(namespace).matches()) {
			throw new IllegalArgumentException(
					"'%s' is no namespace for the Lease: it must consist of lower case letters, digits and '-', begin and end with a letter or digit, and have %d characters at most"
						.formatted(namespace, LONGEST_LABEL));
		}
		Lease lease = new Lease(name, null);
		Times times = new Times(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));
		return new LeaderSpec(namespace, lease, host() + "_" + UUID.randomUUID(), times, Duration.ofSeconds(60),
				Duration.ofSeconds(30), true);
	}

	private static String host() {
		// In a pod it is the name of the pod, and looked up without DNS.
		String pod = System.getenv("HOSTNAME");
		if (pod != null && !pod.isBlank()) {
			return pod.strip();
		}
		try {
			return InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			return "unknown-host";
		}
	}

	/**
	 * Returns the namespace of the Lease.
	 * @return the namespace
	 */
	public String namespace() {
		return this.namespace;
	}

	/**
	 * Returns the name of the Lease.
	 * @return the name; with a shard, that of its own Lease
	 */
	public String name() {
		return this.lease.name();
	}

	/**
	 * Returns the names of the Leases of all shards.
	 * @return the names in the order of the shards; without a shard, the name alone
	 */
	public List<String> names() {
		return this.lease.ofAll();
	}

	/**
	 * Returns the identity of this process in the Lease. No two processes may have the
	 * same.
	 * @return the identity
	 */
	public String identity() {
		return this.identity;
	}

	/**
	 * Returns how long the others wait for a renewal before one of them takes the Lease.
	 * @return the time
	 */
	public Duration leaseDuration() {
		return this.times.leaseDuration();
	}

	/**
	 * Returns how long a term is valid without a renewal, from when that was sent.
	 * @return the time
	 */
	public Duration renewDeadline() {
		return this.times.renewDeadline();
	}

	/**
	 * Returns how often the leader renews the Lease, and the others look at it.
	 * @return the time
	 */
	public Duration retryPeriod() {
		return this.times.retryPeriod();
	}

	/**
	 * Returns how long this process waits for the work's caches before it stands for
	 * election all the same.
	 * @return the time
	 */
	public Duration syncTimeout() {
		return this.syncTimeout;
	}

	/**
	 * Returns how long work may take to end in good order, all of it together. Work that
	 * has limits of its own ends within those.
	 * @return the time
	 */
	public Duration drainTimeout() {
		return this.drainTimeout;
	}

	/**
	 * Returns whether the Lease is released when the elector is stopped, so that others
	 * need not wait for its end.
	 * @return whether it is
	 */
	public boolean releaseOnStop() {
		return this.releaseOnStop;
	}

	/**
	 * Sets the shard that the leader leads in. Each shard has a Lease of its own, with
	 * the index of the shard behind the name, and so a leader of its own.
	 * @param shard the shard; {@code null}, the default, for one Lease for all
	 * @return a copy
	 * @throws IllegalArgumentException if the name is too long with an index
	 */
	public LeaderSpec withShard(@Nullable Shard shard) {
		return new LeaderSpec(this.namespace, new Lease(this.lease.base(), shard), this.identity, this.times,
				this.syncTimeout, this.drainTimeout, this.releaseOnStop);
	}

	/**
	 * Sets the times of the election.
	 * @param leaseDuration how long the others wait for a renewal
	 * @param renewDeadline how long a term is valid without one
	 * @param retryPeriod how often the leader renews, and the others look
	 * @return a copy
	 * @throws IllegalArgumentException unless the lease duration is longer than the renew
	 * deadline by 2 s at least, and the renew deadline three times the retry period at
	 * least
	 */
	public LeaderSpec withTimes(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {
		positive(leaseDuration, "lease duration");
		positive(renewDeadline, "renew deadline");
		positive(retryPeriod, "retry period");
		if (leaseDuration.minus(MARGIN).compareTo(renewDeadline) < 0) {
			throw new IllegalArgumentException(
					"The lease duration '%s' must be longer than the renew deadline '%s' by at least %d s: set it to '%s' or more"
						.formatted(text(leaseDuration), text(renewDeadline), MARGIN.toSeconds(),
								text(Durations.countable(renewDeadline).plus(MARGIN))));
		}
		if (renewDeadline.dividedBy(ATTEMPTS).compareTo(retryPeriod) < 0) {
			throw new IllegalArgumentException(
					"The renew deadline '%s' must be at least %d times the retry period '%s': set it to '%s' or more"
						.formatted(text(renewDeadline), ATTEMPTS, text(retryPeriod),
								text(Durations.countable(retryPeriod).multipliedBy(ATTEMPTS))));
		}
		return new LeaderSpec(this.namespace, this.lease, this.identity,
				new Times(leaseDuration, renewDeadline, retryPeriod), this.syncTimeout, this.drainTimeout,
				this.releaseOnStop);
	}

	/**
	 * Sets the identity. It must be another one for each process, and for each start of
	 * one: a process that finds its own name in the Lease may have got it from one that
	 * ended.
	 * @param identity the identity
	 * @return a copy
	 * @throws IllegalArgumentException if it is blank
	 */
	public LeaderSpec withIdentity(String identity) {
		if (identity.isBlank()) {
			throw new IllegalArgumentException(
					"The identity '%s' of a candidate must not be blank: leave it out to have one made"
						.formatted(identity));
		}
		return new LeaderSpec(this.namespace, this.lease, identity, this.times, this.syncTimeout, this.drainTimeout,
				this.releaseOnStop);
	}

	/**
	 * Sets how long to wait for the work's caches.
	 * @param syncTimeout the time; zero not to wait
	 * @return a copy
	 * @throws IllegalArgumentException if it is negative
	 */
	public LeaderSpec withSyncTimeout(Duration syncTimeout) {
		if (syncTimeout.isNegative()) {
			throw new IllegalArgumentException(
					"The sync timeout '%s' must not be negative".formatted(text(syncTimeout)));
		}
		return new LeaderSpec(this.namespace, this.lease, this.identity, this.times, syncTimeout, this.drainTimeout,
				this.releaseOnStop);
	}

	/**
	 * Sets how long work may take to end in good order.
	 * @param drainTimeout the time
	 * @return a copy
	 * @throws IllegalArgumentException if it is not positive
	 */
	public LeaderSpec withDrainTimeout(Duration drainTimeout) {
		positive(drainTimeout, "drain timeout");
		return new LeaderSpec(this.namespace, this.lease, this.identity, this.times, this.syncTimeout, drainTimeout,
				this.releaseOnStop);
	}

	/**
	 * Sets whether the Lease is released when the elector is stopped.
	 * @param releaseOnStop whether it is
	 * @return a copy
	 */
	public LeaderSpec withReleaseOnStop(boolean releaseOnStop) {
		return new LeaderSpec(this.namespace, this.lease, this.identity, this.times, this.syncTimeout,
				this.drainTimeout, releaseOnStop);
	}

	private static void positive(Duration time, String name) {
		if (time.isNegative() || time.isZero()) {
			throw new IllegalArgumentException("The %s '%s' must be positive".formatted(name, text(time)));
		}
	}

	private static String text(Duration time) {
		return (time.toMillisPart() == 0) ? time.toSeconds() + "s" : Durations.millis(time) + "ms";
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof LeaderSpec spec && this.namespace.equals(spec.namespace)
				&& this.lease.equals(spec.lease) && this.identity.equals(spec.identity) && this.times.equals(spec.times)
				&& this.syncTimeout.equals(spec.syncTimeout) && this.drainTimeout.equals(spec.drainTimeout)
				&& this.releaseOnStop == spec.releaseOnStop;
	}

	@Override
	public int hashCode() {
		return this.identity.hashCode();
	}

	@Override
	public String toString() {
		return "%s/%s as %s".formatted(this.namespace, name(), this.identity);
	}

	/**
	 * Name of a Lease.
	 *
	 * @param base the name without the index of the shard
	 * @param shard the shard; {@code null} for one Lease for all
	 */
	private record Lease(String base, @Nullable Shard shard) {

		Lease {
			String longest = nameOf(base, shard, (shard != null) ? shard.total() - 1 : 0);
			if (longest.length() > LONGEST_SUBDOMAIN || !SUBDOMAIN.matcher(longest).matches()) {
				throw new IllegalArgumentException(
						"'%s' is no name for the Lease: it must consist of lower case letters, digits, '-' and '.', begin and end with a letter or digit, and have %d characters at most"
							.formatted(longest, LONGEST_SUBDOMAIN));
			}
		}

		String name() {
			return nameOf(this.base, this.shard, (this.shard != null) ? this.shard.index() : 0);
		}

		List<String> ofAll() {
			return IntStream.range(0, (this.shard != null) ? this.shard.total() : 1)
				.mapToObj((index) -> nameOf(this.base, this.shard, index))
				.toList();
		}

		private static String nameOf(String base, @Nullable Shard shard, int index) {
			return (shard != null) ? base + "-" + index : base;
		}

	}

	/**
	 * Times of an election.
	 *
	 * @param leaseDuration how long the others wait for a renewal
	 * @param renewDeadline how long a term is valid without one
	 * @param retryPeriod how often the leader renews, and the others look
	 */
	private record Times(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {

	}

}
