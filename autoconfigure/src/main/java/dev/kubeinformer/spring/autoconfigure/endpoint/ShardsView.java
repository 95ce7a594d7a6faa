package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.informer.RequiredRbac;
import dev.kubeinformer.leader.LeaderStatus;
import dev.kubeinformer.shard.ShardMember;
import dev.kubeinformer.shard.ShardsStatus;
import dev.kubeinformer.spring.settings.ShownText;
import dev.kubeinformer.spring.shard.ShardGroup;
import dev.kubeinformer.spring.shard.SlotRanges;

/**
 * Describes the shard slots that move between the replicas.
 *
 * @param group the group of replicas
 * @param cluster the name of the cluster with the Leases
 */
record ShardsView(ShardGroup group, String cluster) {

	/**
	 * Id under which the endpoint shows the slots, unless it is the id of a handler or
	 * reconciler.
	 */
	static final String ID = "shards";

	ShardsDescriptor descriptor(boolean multipleClusters) {
		ShardsStatus status = this.group.status().get();
		return new ShardsDescriptor(status.state().name(), status.since().toString(),
				status.namespace() + "/" + status.group(), multipleClusters ? this.cluster : null,
				ShownText.of(status.identity()), status.lease(), status.division().key().name(),
				status.division().total(), status.settled(), SlotRanges.of(status.slots()),
				SlotRanges.of(status.draining()), status.members().stream().map(ShardsView::member).toList(),
				unheld(status.vacant()), status.gained(), status.lost(), status.renewals(),
				(status.slack() != null) ? Descriptors.seconds(status.slack()) : null,
				(status.refusedBy() != null) ? ShownText.of(status.refusedBy()) : null, failure(status.lastError()),
				ShardGroup.missingRbac(status).stream().map(RequiredRbac::toString).toList());
	}

	private static ShardsDescriptor.Member member(ShardMember member) {
		return new ShardsDescriptor.Member(ShownText.of(member.name()), SlotRanges.of(member.slots()),
				member.slots().size(), member.self(), member.leaving());
	}

	private static List<ShardsDescriptor.Unheld> unheld(Map<Integer, Instant> vacant) {
		Map<Instant, List<Integer>> bySince = new TreeMap<>();
		vacant.forEach((slot, since) -> bySince.computeIfAbsent(since, (time) -> new ArrayList<>()).add(slot));
		List<ShardsDescriptor.Unheld> unheld = new ArrayList<>();
		bySince
			.forEach((since, slots) -> unheld.add(new ShardsDescriptor.Unheld(SlotRanges.of(slots), since.toString())));
		return unheld;
	}

	private static ShardsDescriptor.@Nullable Failure failure(LeaderStatus.@Nullable Failure failure) {
		return (failure != null) ? new ShardsDescriptor.Failure(failure.at().toString(), failure.verb(),
				failure.httpStatus(), failure.reason()) : null;
	}

}
