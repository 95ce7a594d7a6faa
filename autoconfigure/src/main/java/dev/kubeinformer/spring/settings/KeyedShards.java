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
 * The slots of a distribution with another key, for a resource with a key of its own.
 * Equal for the same distribution and key, so that equal specs share an informer.
 * Internal to the starter.
 *
 * @param shards the distribution
 * @param key the hashed part of the metadata
 */
public record KeyedShards(Shards shards, ShardKey key) implements Shards {

	static Shards of(Shards shards, ShardKey key) {
		return (shards.division().key() == key) ? shards : new KeyedShards(shards, key);
	}

	/**
	 * Returns the distribution without the key of a resource.
	 * @param shards the distribution of an informer
	 * @return the distribution of this replica
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
