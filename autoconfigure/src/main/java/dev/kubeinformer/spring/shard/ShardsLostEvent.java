package dev.kubeinformer.spring.shard;

import java.util.Set;
import java.util.TreeSet;

import org.springframework.context.ApplicationEvent;

import dev.kubeinformer.shard.ShardLossReason;
import dev.kubeinformer.shard.Shards;

/**
 * Application event that is published when this replica has lost shard slots.
 */
public class ShardsLostEvent extends ApplicationEvent {

	private static final long serialVersionUID = 1L;

	private final transient Shards shards;

	private final transient Set<Integer> slots;

	private final ShardLossReason reason;

	ShardsLostEvent(Shards shards, Set<Integer> slots, ShardLossReason reason) {
		super(shards);
		this.shards = shards;
		this.slots = Set.copyOf(slots);
		this.reason = reason;
	}

	/**
	 * Returns the shards, which tell which replica holds which slot now.
	 * @return the shards
	 */
	public Shards getShards() {
		return this.shards;
	}

	/**
	 * Returns the slots that this replica has lost.
	 * @return the indexes of the slots
	 */
	public Set<Integer> getSlots() {
		return this.slots;
	}

	/**
	 * Returns the reason why the slots were lost.
	 * @return the reason
	 */
	public ShardLossReason getReason() {
		return this.reason;
	}

	@Override
	public String toString() {
		return "ShardsLostEvent[slots %s, %s]".formatted(new TreeSet<>(this.slots), this.reason);
	}

}
