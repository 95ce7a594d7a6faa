package dev.kubeinformer.spring;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.kubeinformer.leader.LeaderStatus;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.shard.ManualShards;
import dev.kubeinformer.shard.ShardMember;
import dev.kubeinformer.shard.ShardsState;
import dev.kubeinformer.shard.ShardsStatus;
import dev.kubeinformer.spring.shard.ShardGroup;

/**
 * A group of replicas whose status a test decides, without Leases.
 */
public final class FakeGroup {

	/** Time at which the state began. */
	public static final Instant SINCE = Instant.parse("2030-01-01T10:00:00Z");

	private final ManualShards shards = ManualShards.of(8);

	private volatile ShardsState state = ShardsState.ACTIVE;

	private volatile Set<Integer> draining = Set.of();

	private volatile Map<Integer, Instant> vacant = Map.of();

	private volatile String refusedBy;

	private volatile LeaderStatus.Failure failure;

	private volatile List<String> missingVerbs = List.of();

	public FakeGroup() {
		this.shards.gain(0, 1, 2);
		this.shards.others(new ShardMember("pod-0", Set.of(3, 4, 7), false, false),
				new ShardMember("pod-2", Set.of(), false, true));
	}

	public ShardGroup group() {
		return new ShardGroup(this.shards, this::status);
	}

	public ShardsStatus status() {
		Leadership.Term term = (this.state == ShardsState.ACTIVE) ? new Leadership.Term(1, SINCE, SINCE.plusSeconds(10))
				: null;
		return new ShardsStatus(this.state, SINCE, "pod-1", "shop", "orders", "orders-5b1e", this.shards.division(),
				this.shards.slots(), this.draining, this.shards.members(), this.vacant, this.shards.isSettled(), term,
				(term != null) ? Duration.ofSeconds(8) : null, this.refusedBy, 7, 3, 1, this.failure,
				this.missingVerbs);
	}

	public FakeGroup state(ShardsState state) {
		this.state = state;
		return this;
	}

	public FakeGroup draining(Integer... slots) {
		this.draining = Set.of(slots);
		return this;
	}

	public FakeGroup vacant(Map<Integer, Instant> vacant) {
		this.vacant = vacant;
		return this;
	}

	public FakeGroup refusedBy(String lease) {
		this.refusedBy = lease;
		return this;
	}

	public FakeGroup failure(LeaderStatus.Failure failure, String... missingVerbs) {
		this.failure = failure;
		this.missingVerbs = List.of(missingVerbs);
		return this;
	}

}
