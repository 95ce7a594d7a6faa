package dev.kubeinformer.spring.shard;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import dev.kubeinformer.shard.ShardListener;
import dev.kubeinformer.shard.ShardLossReason;
import dev.kubeinformer.shard.ShardMember;
import dev.kubeinformer.shard.Shards;

/**
 * Tracks which shard slots are held by a replica that this replica knows, and since when
 * the other slots have had no known holder. Internal to the starter.
 */
public final class SlotHolders implements ShardListener {

	private final Shards shards;

	private final Clock clock;

	private final ReentrantLock lock = new ReentrantLock();

	/**
	 * Time at which each slot was first seen without a known holder, by the index of the
	 * slot. Guarded by the lock.
	 */
	private final Map<Integer, Instant> unheld = new TreeMap<>();

	private final List<Consumer<Duration>> gapListeners = new CopyOnWriteArrayList<>();

	/**
	 * Creates an instance. It must be added as a listener of the shards.
	 * @param shards the slots of all replicas
	 * @param clock the clock
	 */
	public SlotHolders(Shards shards, Clock clock) {
		this.shards = shards;
		this.clock = clock;
	}

	/**
	 * Returns the shards whose slots are tracked.
	 * @return the shards
	 */
	public Shards shards() {
		return this.shards;
	}

	@Override
	public void onShardGained(Set<Integer> slots) {
		update();
	}

	@Override
	public void onShardLost(Set<Integer> slots, ShardLossReason reason) {
		update();
	}

	@Override
	public void onMembersChanged() {
		update();
	}

	/**
	 * Returns the slots without a known holder. The result is empty while this replica
	 * does not know who holds the slots.
	 * @return the time since which each slot has had no holder, by the index of the slot
	 */
	public Map<Integer, Instant> unheld() {
		update();
		this.lock.lock();
		try {
			return new TreeMap<>(this.unheld);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns the slots that have had no known holder for longer than a given time.
	 * @param time the time
	 * @return the indexes of the slots
	 */
	public Set<Integer> unheldLongerThan(Duration time) {
		Instant since = this.clock.instant().minus(time);
		Set<Integer> slots = new TreeSet<>();
		unheld().forEach((slot, from) -> {
			if (from.isBefore(since)) {
				slots.add(slot);
			}
		});
		return slots;
	}

	/**
	 * Returns the longest time for which a slot has had no known holder.
	 * @return the time; zero if all slots have a holder
	 */
	public Duration longestUnheld() {
		Instant now = this.clock.instant();
		return unheld().values()
			.stream()
			.map((since) -> Duration.between(since, now))
			.max(Duration::compareTo)
			.filter((longest) -> !longest.isNegative())
			.orElse(Duration.ZERO);
	}

	/**
	 * Returns how unevenly the slots are divided: the difference between the highest and
	 * the lowest number of slots that a member holds. Members that are leaving do not
	 * count.
	 * @return the difference, at most 1 when all moves have ended
	 */
	public int imbalance() {
		List<Integer> sizes = this.shards.members()
			.stream()
			.filter((member) -> !member.leaving())
			.map((member) -> member.slots().size())
			.sorted()
			.toList();
		return sizes.isEmpty() ? 0 : sizes.get(sizes.size() - 1) - sizes.get(0);
	}

	/**
	 * Adds a listener that is called whenever a slot has a known holder again. Its
	 * argument is the time for which the slot had none.
	 * @param listener the listener
	 */
	public void addGapListener(Consumer<Duration> listener) {
		this.gapListeners.add(listener);
	}

	/**
	 * Removes a listener.
	 * @param listener the listener
	 */
	public void removeGapListener(Consumer<Duration> listener) {
		this.gapListeners.remove(listener);
	}

	private void update() {
		Map<Integer, Duration> gaps = new TreeMap<>();
		this.lock.lock();
		try {
			Instant now = this.clock.instant();
			// Without a valid Lease, this replica does not know who holds the slots.
			if (!this.shards.isSettled() || this.shards.membership().term() == null) {
				this.unheld.clear();
				return;
			}
			Set<Integer> held = new TreeSet<>(this.shards.slots());
			for (ShardMember member : this.shards.members()) {
				held.addAll(member.slots());
			}
			for (int slot = 0; slot < this.shards.division().total(); slot++) {
				if (!held.contains(slot)) {
					this.unheld.putIfAbsent(slot, now);
					continue;
				}
				Instant since = this.unheld.remove(slot);
				if (since != null) {
					gaps.put(slot, Duration.between(since, now));
				}
			}
		}
		finally {
			this.lock.unlock();
		}
		gaps.values().forEach((gap) -> this.gapListeners.forEach((listener) -> listener.accept(gap)));
	}

}
