package dev.kubeinformer.spring.shard;

import java.util.Set;
import java.util.TreeSet;

import org.springframework.context.ApplicationEvent;

import dev.kubeinformer.shard.Shards;

/**
 * Application event that is published when this replica has gained shard slots. It is
 * published on a thread that delays neither renewals nor hand-overs. The event may be
 * late, so check {@link #getShards()} right before an action that only the holder of a
 * slot may perform.
 */
public class ShardsGainedEvent extends ApplicationEvent {

	private static final long serialVersionUID = 1L;

	private final transient Shards shards;

	private final transient Set<Integer> slots;

	ShardsGainedEvent(Shards shards, Set<Integer> slots) {
		super(shards);
		this.shards = shards;
		this.slots = Set.copyOf(slots);
	}

	/**
	 * Returns the shards, which tell which replica holds which slot now.
	 * @return the shards
	 */
	public Shards getShards() {
		return this.shards;
	}

	/**
	 * Returns the slots that this replica has gained.
	 * @return the indexes of the slots
	 */
	public Set<Integer> getSlots() {
		return this.slots;
	}

	@Override
	public String toString() {
		return "ShardsGainedEvent[slots %s]".formatted(new TreeSet<>(this.slots));
	}

}
