package dev.kubeinformer.shard;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.text.LeaseSettings;
import dev.kubeinformer.types.Slots;

/**
 * Settings of a {@link dev.kubeinformer.ShardMembership}. Immutable; the {@code with}
 * methods return changed copies.
 */
public final class ShardsSpec {

	private final String namespace;

	private final String group;

	private final Slots slots;

	private final String identity;

	private final Times times;

	private final boolean releaseOnStop;

	private ShardsSpec(String namespace, String group, Slots slots, String identity, Times times,
			boolean releaseOnStop) {
		this.namespace = namespace;
		this.group = group;
		this.slots = slots;
		this.identity = identity;
		this.times = times;
		this.releaseOnStop = releaseOnStop;
	}

	/**
	 * Returns the settings for a member of a group: a lease duration of 15 s, a renew
	 * deadline of 10 s, a retry period of 2 s, a settle time of 1 s, at most 60 s to wait
	 * for caches, at most 30 s to drain, and a release on stop. The identity is the name
	 * of the pod or host.
	 * @param namespace the namespace of the Leases
	 * @param group the name of the group, such as the name of the application. It is the
	 * value of the label {@code kubeinformer.dev/shards} of the Leases
	 * @param slots the division of objects, which must be the same for all members
	 * @return the settings
	 * @throws IllegalArgumentException if a name is not valid
	 */
	public static ShardsSpec of(String namespace, String group, Slots slots) {
		LeaseSettings.requireNamespace(namespace);
		LeaseSettings.requireGroup(group);
		Objects.requireNonNull(slots, "The slots are null");
		Times times = new Times(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2),
				Duration.ofSeconds(1), Duration.ofSeconds(60), Duration.ofSeconds(30));
		return new ShardsSpec(namespace, group, slots, LeaseSettings.host(), times, true);
	}

	/**
	 * Returns the namespace of the Leases.
	 * @return the namespace
	 */
	public String namespace() {
		return this.namespace;
	}

	/**
	 * Returns the name of the group.
	 * @return the name
	 */
	public String group() {
		return this.group;
	}

	/**
	 * Returns the division of objects into slots.
	 * @return the division
	 */
	public Slots slots() {
		return this.slots;
	}

	/**
	 * Returns the identity of this process, which other members show.
	 * @return the identity
	 */
	public String identity() {
		return this.identity;
	}

	/**
	 * Returns how long other members wait for a renewal before they take the slots of
	 * this member.
	 * @return the lease duration
	 */
	public Duration leaseDuration() {
		return this.times.leaseDuration();
	}

	/**
	 * Returns how long slots stay valid after the last renewal was sent.
	 * @return the renew deadline
	 */
	public Duration renewDeadline() {
		return this.times.renewDeadline();
	}

	/**
	 * Returns how often a member renews its Lease.
	 * @return the retry period
	 */
	public Duration retryPeriod() {
		return this.times.retryPeriod();
	}

	/**
	 * Returns how long members wait for more members to join before slots move to those
	 * that have joined.
	 * @return the settle time
	 */
	public Duration settleTime() {
		return this.times.settleTime();
	}

	/**
	 * Returns how long this process waits for its caches before it joins without them.
	 * @return the sync timeout
	 */
	public Duration syncTimeout() {
		return this.times.syncTimeout();
	}

	/**
	 * Returns the time limit for handing over all slots when the membership is stopped.
	 * Work may have shorter limits of its own.
	 * @return the drain timeout
	 */
	public Duration drainTimeout() {
		return this.times.drainTimeout();
	}

	/**
	 * Returns whether the slots are released when the membership is stopped, so that
	 * other members can take them at once.
	 * @return {@code true} if a stop releases the slots
	 */
	public boolean releaseOnStop() {
		return this.releaseOnStop;
	}

	/**
	 * Sets the identity, such as the name of the pod or an address of this process. It
	 * may contain any characters, and need not differ between starts of one process.
	 * @param identity the identity
	 * @return a copy
	 * @throws IllegalArgumentException if the identity is blank
	 */
	public ShardsSpec withIdentity(String identity) {
		LeaseSettings.requireIdentity(identity);
		return new ShardsSpec(this.namespace, this.group, this.slots, identity, this.times, this.releaseOnStop);
	}

	/**
	 * Sets the times of the Lease. All members should use the same times.
	 * @param leaseDuration how long other members wait for a renewal
	 * @param renewDeadline how long slots stay valid without a renewal
	 * @param retryPeriod how often a member renews its Lease
	 * @return a copy
	 * @throws IllegalArgumentException unless the lease duration exceeds the renew
	 * deadline by at least 2 s, and the renew deadline is at least three times the retry
	 * period
	 */
	public ShardsSpec withTimes(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {
		LeaseSettings.requireTimes(leaseDuration, renewDeadline, retryPeriod);
		return with(new Times(leaseDuration, renewDeadline, retryPeriod, settleTime(), syncTimeout(), drainTimeout()));
	}

	/**
	 * Sets how long members wait for more members to join before slots move to those that
	 * have joined. Replicas often start together: the first one would otherwise take all
	 * slots, and hand over most of them at once.
	 * @param settleTime the time; zero to not wait
	 * @return a copy
	 * @throws IllegalArgumentException if the time is negative
	 */
	public ShardsSpec withSettleTime(Duration settleTime) {
		LeaseSettings.requireNotNegative(settleTime, "settle time");
		return with(
				new Times(leaseDuration(), renewDeadline(), retryPeriod(), settleTime, syncTimeout(), drainTimeout()));
	}

	/**
	 * Sets how long to wait for caches that are not divided by slots before joining.
	 * @param syncTimeout the time; zero to not wait
	 * @return a copy
	 * @throws IllegalArgumentException if the time is negative
	 */
	public ShardsSpec withSyncTimeout(Duration syncTimeout) {
		LeaseSettings.requireNotNegative(syncTimeout, "sync timeout");
		return with(
				new Times(leaseDuration(), renewDeadline(), retryPeriod(), settleTime(), syncTimeout, drainTimeout()));
	}

	/**
	 * Sets the time limit for handing over all slots when the membership is stopped.
	 * @param drainTimeout the time
	 * @return a copy
	 * @throws IllegalArgumentException if the time is not positive
	 */
	public ShardsSpec withDrainTimeout(Duration drainTimeout) {
		LeaseSettings.requirePositive(drainTimeout, "drain timeout");
		return with(
				new Times(leaseDuration(), renewDeadline(), retryPeriod(), settleTime(), syncTimeout(), drainTimeout));
	}

	private ShardsSpec with(Times changed) {
		return new ShardsSpec(this.namespace, this.group, this.slots, this.identity, changed, this.releaseOnStop);
	}

	/**
	 * Sets whether the slots are released when the membership is stopped. Without a
	 * release, other members take the slots after the lease duration.
	 * @param releaseOnStop {@code true} to release the slots; {@code false} to let them
	 * expire
	 * @return a copy
	 */
	public ShardsSpec withReleaseOnStop(boolean releaseOnStop) {
		return new ShardsSpec(this.namespace, this.group, this.slots, this.identity, this.times, releaseOnStop);
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof ShardsSpec spec && this.namespace.equals(spec.namespace)
				&& this.group.equals(spec.group) && this.slots.equals(spec.slots) && this.identity.equals(spec.identity)
				&& this.times.equals(spec.times) && this.releaseOnStop == spec.releaseOnStop;
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.namespace, this.group, this.identity);
	}

	@Override
	public String toString() {
		return "%s/%s as %s".formatted(this.namespace, this.group, this.identity);
	}

	/**
	 * Times of a member.
	 *
	 * @param leaseDuration how long other members wait for a renewal
	 * @param renewDeadline how long slots stay valid without a renewal
	 * @param retryPeriod how often a member renews its Lease
	 * @param settleTime how long members wait for more members to join
	 * @param syncTimeout how long a member waits for its caches before it joins
	 * @param drainTimeout the time limit for handing over all slots when the membership
	 * is stopped
	 */
	private record Times(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod, Duration settleTime,
			Duration syncTimeout, Duration drainTimeout) {

	}

}
