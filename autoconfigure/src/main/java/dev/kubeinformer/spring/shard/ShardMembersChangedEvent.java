package dev.kubeinformer.spring.shard;

import java.util.List;

import org.springframework.context.ApplicationEvent;

import dev.kubeinformer.shard.ShardMember;
import dev.kubeinformer.shard.Shards;

/**
 * Application event that is published when the replicas of the group, or the shard slots
 * that they hold, have changed.
 */
public class ShardMembersChangedEvent extends ApplicationEvent {

	private static final long serialVersionUID = 1L;

	private final transient Shards shards;

	private final transient List<ShardMember> members;

	ShardMembersChangedEvent(Shards shards) {
		super(shards);
		this.shards = shards;
		this.members = List.copyOf(shards.members());
	}

	/**
	 * Returns the shards, which tell which replica holds which slot now.
	 * @return the shards
	 */
	public Shards getShards() {
		return this.shards;
	}

	/**
	 * Returns the members at the time of the change.
	 * @return the members in the order of their names
	 */
	public List<ShardMember> getMembers() {
		return this.members;
	}

	@Override
	public String toString() {
		return "ShardMembersChangedEvent%s".formatted(this.members.stream().map(ShardMember::name).toList());
	}

}
