package dev.kubeinformer.spring.settings;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.shard.ShardListener;
import dev.kubeinformer.shard.ShardMember;
import dev.kubeinformer.shard.ShardWork;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.Slots;

/**
 * {@link Shards} for a resource with its own shard key: each replica holds the same
 * slots, but another key decides which slot an object belongs to. Two instances are equal
 * if their components are equal, so that equal specs share an informer. Internal to the
 * starter.
 *
 * @param shards the shards that all resources have in common
 * @param key the part of an object's metadata that decides the slot of the object
 */
public record KeyedShards(Shards shards, ShardKey key) implements Shards {

	static Shards of(Shards shards, ShardKey key) {
		return (shards.division().key() == key) ? shards : new KeyedShards(shards, key);
	}

	/**
	 * Returns the shards that all resources have in common.
	 * @param shards the shards of an informer, which may have their own key
	 * @return the shards without that key
	 */
	public static Shards common(Shards shards) {
		return (shards instanceof KeyedShards keyed) ? keyed.shards() : shards;
	}

	@Override
	public Slots division() {
		return new Slots(this.key, this.shards.division().total());
	}

	@Override
	public boolean owns(int slot) {
		return this.shards.owns(slot);
	}

	@Override
	public Set<Integer> slots() {
		return this.shards.slots();
	}

	@Override
	public List<ShardMember> members() {
		return this.shards.members();
	}

	@Override
	public boolean isSettled() {
		return this.shards.isSettled();
	}

	@Override
	public Duration leaseDuration() {
		return this.shards.leaseDuration();
	}

	@Override
	public Leadership membership() {
		return this.shards.membership();
	}

	@Override
	public Leadership.Registration register(ShardWork work) {
		return this.shards.register(work);
	}

	@Override
	public void addListener(ShardListener listener) {
		this.shards.addListener(listener);
	}

	@Override
	public void removeListener(ShardListener listener) {
		this.shards.removeListener(listener);
	}

}
