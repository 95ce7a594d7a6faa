package dev.kubeinformer.spring.shard;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.RequiredRbac;
import dev.kubeinformer.leader.LeaderStatus.Failure;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.shard.ShardsState;
import dev.kubeinformer.shard.ShardsStatus;
import dev.kubeinformer.spring.settings.KeyedShards;
import dev.kubeinformer.spring.settings.ShownText;

/**
 * Group of replicas in which this replica does not know its shard slots yet, so that its
 * caches cannot be filled. Internal to the starter.
 *
 * @param status the status of this replica
 */
public record UnsettledGroup(ShardsStatus status) {

	/**
	 * Returns the group that an informer waits for.
	 * @param informer the informer
	 * @return the group; {@code null} if the informer does not wait for the slots of this
	 * replica
	 */
	public static @Nullable UnsettledGroup of(Informer<?> informer) {
		Shards shards = informer.spec().shards();
		ShardGroup group = (shards != null) ? ShardGroup.of(KeyedShards.common(shards)) : null;
		if (group == null) {
			return null;
		}
		ShardsStatus status = group.status().get();
		return status.settled() ? null : new UnsettledGroup(status);
	}

	/**
	 * Describes the cause of the wait.
	 * @return the description, as the end of a sentence
	 */
	public String describe() {
		String lease = this.status.refusedBy();
		if (lease != null) {
			return "it waits for the slots of this replica, which gets none because Lease '%s' divides the objects in another way"
				.formatted(ShownText.of(lease));
		}
		Failure error = this.status.lastError();
		if (error != null) {
			return "it waits for the slots of this replica, and the request for the Leases in namespace '%s' failed: %s, %s%s"
				.formatted(this.status.namespace(), error.verb(),
						(error.httpStatus() != null) ? "HTTP %d: ".formatted(error.httpStatus()) : "", error.reason());
		}
		return "it waits for the slots of this replica in group '%s' (%s)".formatted(this.status.group(),
				this.status.state());
	}

	/**
	 * Returns the actions that end the wait.
	 * @return the actions; empty if the wait is expected to end by itself
	 */
	public List<String> actions() {
		if (this.status.state() == ShardsState.REFUSED) {
			return List.of(ShardGroup.OTHER_DIVISION);
		}
		List<RequiredRbac> missing = ShardGroup.missingRbac(this.status);
		if (!missing.isEmpty()) {
			return missing.stream()
				.map((rule) -> "Grant a %s, or authenticate as someone who has it.".formatted(rule))
				.toList();
		}
		return (this.status.lastError() != null)
				? List.of("Make sure that the API server with the Leases of 'kubernetes.informers.shard' is reachable "
						+ "from here, and that the namespace '%s' exists.".formatted(this.status.namespace()))
				: List.of();
	}

}
