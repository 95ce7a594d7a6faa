package dev.kubeinformer.leader;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.text.LeaseSettings;
import dev.kubeinformer.types.Shard;

/**
 * Settings of a {@link dev.kubeinformer.LeaderElector}. Immutable; the {@code with}
 * methods return changed copies.
 */
public final class LeaderSpec {

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
	 * and a release on stop. The identity is the host name followed by a new UUID.
	 * @param namespace the namespace of the Lease
	 * @param name the name of the Lease
	 * @return the settings
	 * @throws IllegalArgumentException if a name is not valid
	 */
	public static LeaderSpec of(String namespace, String name) {
		LeaseSettings.requireNamespace(namespace);
		Lease lease = new Lease(name, null);
		Times times = new Times(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));
		return new LeaderSpec(namespace, lease, LeaseSettings.host() + "_" + UUID.randomUUID(), times,
				Duration.ofSeconds(60), Duration.ofSeconds(30), true);
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
	 * @return the name, including the index of the shard if there is one
	 */
	public String name() {
		return this.lease.name();
	}

	/**
	 * Returns the names of the Leases of all shards.
	 * @return the names in the order of the shards; a single name if there are no shards
	 */
	public List<String> names() {
		return this.lease.ofAll();
	}

	/**
	 * Returns the identity of this process in the Lease. Each process must have a
	 * different one.
	 * @return the identity
	 */
	public String identity() {
		return this.identity;
	}

	/**
	 * Returns how long other replicas wait for a renewal before one of them acquires the
	 * Lease.
	 * @return the lease duration
	 */
	public Duration leaseDuration() {
		return this.times.leaseDuration();
	}

	/**
	 * Returns how long a term stays valid after the last renewal was sent.
	 * @return the renew deadline
	 */
	public Duration renewDeadline() {
		return this.times.renewDeadline();
	}

	/**
	 * Returns how often the leader renews the Lease, and how often the other replicas
	 * read it.
	 * @return the retry period
	 */
	public Duration retryPeriod() {
		return this.times.retryPeriod();
	}

	/**
	 * Returns how long this process waits for its caches before it stands for election
	 * without them.
	 * @return the sync timeout
	 */
	public Duration syncTimeout() {
		return this.syncTimeout;
	}

	/**
	 * Returns the time limit for draining all work at the end of a term. Work may have
	 * shorter limits of its own.
	 * @return the drain timeout
	 */
	public Duration drainTimeout() {
		return this.drainTimeout;
	}

	/**
	 * Returns whether the Lease is released when the elector is stopped, so that another
	 * replica can acquire it at once.
	 * @return {@code true} if a stop releases the Lease
	 */
	public boolean releaseOnStop() {
		return this.releaseOnStop;
	}

	/**
	 * Sets the shard for which a leader is elected. Each shard has its own Lease, whose
	 * name ends with the index of the shard, and so its own leader.
	 * @param shard the shard; {@code null} (default) for a single Lease
	 * @return a copy
	 * @throws IllegalArgumentException if the name with the index is too long
	 */
	public LeaderSpec withShard(@Nullable Shard shard) {
		return new LeaderSpec(this.namespace, new Lease(this.lease.base(), shard), this.identity, this.times,
				this.syncTimeout, this.drainTimeout, this.releaseOnStop);
	}

	/**
	 * Sets the times of the election.
	 * @param leaseDuration how long other replicas wait for a renewal
	 * @param renewDeadline how long a term stays valid without a renewal
	 * @param retryPeriod how often the leader renews the Lease, and the other replicas
	 * read it
	 * @return a copy
	 * @throws IllegalArgumentException unless the lease duration exceeds the renew
	 * deadline by at least 2 s, and the renew deadline is at least three times the retry
	 * period
	 */
	public LeaderSpec withTimes(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {
		LeaseSettings.requireTimes(leaseDuration, renewDeadline, retryPeriod);
		return new LeaderSpec(this.namespace, this.lease, this.identity,
				new Times(leaseDuration, renewDeadline, retryPeriod), this.syncTimeout, this.drainTimeout,
				this.releaseOnStop);
	}

	/**
	 * Sets the identity. It must differ between processes and between starts of one
	 * process: otherwise a process could mistake the Lease of its predecessor for its
	 * own.
	 * @param identity the identity
	 * @return a copy
	 * @throws IllegalArgumentException if the identity is blank
	 */
	public LeaderSpec withIdentity(String identity) {
		LeaseSettings.requireIdentity(identity);
		return new LeaderSpec(this.namespace, this.lease, identity, this.times, this.syncTimeout, this.drainTimeout,
				this.releaseOnStop);
	}

	/**
	 * Sets how long to wait for caches before standing for election.
	 * @param syncTimeout the time; zero to not wait
	 * @return a copy
	 * @throws IllegalArgumentException if the time is negative
	 */
	public LeaderSpec withSyncTimeout(Duration syncTimeout) {
		LeaseSettings.requireNotNegative(syncTimeout, "sync timeout");
		return new LeaderSpec(this.namespace, this.lease, this.identity, this.times, syncTimeout, this.drainTimeout,
				this.releaseOnStop);
	}

	/**
	 * Sets the time limit for draining all work at the end of a term.
	 * @param drainTimeout the time
	 * @return a copy
	 * @throws IllegalArgumentException if the time is not positive
	 */
	public LeaderSpec withDrainTimeout(Duration drainTimeout) {
		LeaseSettings.requirePositive(drainTimeout, "drain timeout");
		return new LeaderSpec(this.namespace, this.lease, this.identity, this.times, this.syncTimeout, drainTimeout,
				this.releaseOnStop);
	}

	/**
	 * Sets whether the Lease is released when the elector is stopped.
	 * @param releaseOnStop {@code true} to release the Lease; {@code false} to let it
	 * expire
	 * @return a copy
	 */
	public LeaderSpec withReleaseOnStop(boolean releaseOnStop) {
		return new LeaderSpec(this.namespace, this.lease, this.identity, this.times, this.syncTimeout,
				this.drainTimeout, releaseOnStop);
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
	 * @param shard the shard; {@code null} for a single Lease
	 */
	private record Lease(String base, @Nullable Shard shard) {

		Lease {
			LeaseSettings.requireName(nameOf(base, shard, (shard != null) ? shard.total() - 1 : 0));
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
	 * @param leaseDuration how long other replicas wait for a renewal
	 * @param renewDeadline how long a term stays valid without a renewal
	 * @param retryPeriod how often the leader renews the Lease, and the other replicas
	 * read it
	 */
	private record Times(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {

	}

}
