package dev.kubeinformer.spring.shard;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.LeaderElector;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.shard.ShardListener;
import dev.kubeinformer.shard.ShardLossReason;
import dev.kubeinformer.shard.ShardMember;
import dev.kubeinformer.shard.ShardWork;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.Slots;

/**
 * {@link Shards} that never change and do not use Leases. This process always holds the
 * same slots, and knows no other members. Listeners are notified of the slots when the
 * application starts and stops. Internal to the starter.
 */
public final class FixedShards implements Shards {

	private static final Logger logger = LoggerFactory.getLogger(FixedShards.class);

	private final Slots division;

	private final Set<Integer> slots;

	private final ShardMember self;

	private final List<ShardListener> listeners = new CopyOnWriteArrayList<>();

	private final AtomicBoolean running = new AtomicBoolean();

	/**
	 * Creates an instance.
	 * @param division the division of objects into slots
	 * @param slots the slots of this process
	 * @param name the name of this process
	 */
	public FixedShards(Slots division, Set<Integer> slots, String name) {
		this.division = division;
		this.slots = Set.copyOf(slots);
		this.self = new ShardMember(name, this.slots, true, false);
	}

	/**
	 * Returns shards with one member, which holds all slots.
	 * @param key the part of an object's metadata that decides the slot of the object
	 * @param total the number of slots
	 * @param name the name of this process
	 * @return the shards
	 */
	public static FixedShards sole(ShardKey key, int total, String name) {
		return new FixedShards(new Slots(key, total),
				IntStream.range(0, total).boxed().collect(Collectors.toUnmodifiableSet()), name);
	}

	void start() {
		if (this.running.compareAndSet(false, true)) {
			notify((listener) -> listener.onShardGained(this.slots));
		}
	}

	void stop() {
		if (this.running.compareAndSet(true, false)) {
			notify((listener) -> listener.onShardLost(this.slots, ShardLossReason.STOPPED));
		}
	}

	private void notify(Consumer<ShardListener> notification) {
		for (ShardListener listener : this.listeners) {
			try {
				notification.accept(listener);
			}
			catch (RuntimeException ex) {
				logger.error("Shard listener '{}' failed", listener.getClass().getName(), ex);
			}
		}
	}

	@Override
	public Slots division() {
		return this.division;
	}

	@Override
	public boolean owns(int slot) {
		return this.slots.contains(slot);
	}

	@Override
	public Set<Integer> slots() {
		return this.slots;
	}

	@Override
	public List<ShardMember> members() {
		return List.of(this.self);
	}

	@Override
	public boolean isSettled() {
		return true;
	}

	@Override
	public Leadership membership() {
		return LeaderElector.always();
	}

	@Override
	public Leadership.Registration register(ShardWork work) {
		work.gained(this.slots);
		work.settled();
		return () -> {
			// Do nothing: the work was not stored, because its slots never change.
		};
	}

	@Override
	public void addListener(ShardListener listener) {
		this.listeners.add(listener);
	}

	@Override
	public void removeListener(ShardListener listener) {
		this.listeners.remove(listener);
	}

}
