package dev.kubeinformer.internal.membership;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

import dev.kubeinformer.internal.shards.ShardView;
import dev.kubeinformer.internal.shards.ShardView.MemberView;
import dev.kubeinformer.internal.shards.SlotSet;
import dev.kubeinformer.shard.ShardMember;
import dev.kubeinformer.shard.ShardsSpec;

/**
 * Members of the group as this process sees them. Thread-safe.
 */
public final class MembersBoard {

	private final ShardsSpec spec;

	private final Supplier<Set<Integer>> own;

	private final Supplier<Instant> clock;

	private volatile List<ShardMember> others = List.of();

	private volatile boolean leaving;

	// The fields below are guarded by this.

	private SlotSet foreign = SlotSet.none();

	private final Map<Integer, Instant> vacant = new TreeMap<>();

	/**
	 * Creates a board without other members.
	 * @param spec the settings
	 * @param own returns the slots that this process holds now
	 * @param clock returns the current time
	 */
	public MembersBoard(ShardsSpec spec, Supplier<Set<Integer>> own, Supplier<Instant> clock) {
		this.spec = spec;
		this.own = own;
		this.clock = clock;
	}

	/**
	 * Replaces the view of the group.
	 * @param view the view
	 * @return {@code true} if members have come or gone
	 */
	boolean seen(ShardView view) {
		List<ShardMember> live = new ArrayList<>();
		SlotSet held = SlotSet.none();
		for (MemberView member : view.members()) {
			if (member.alive() && !member.self()) {
				live.add(new ShardMember(member.identity(), Set.copyOf(member.held().toList()), false,
						member.leaving()));
				held = held.union(member.held());
			}
		}
		boolean changed = !names(live).equals(names(this.others));
		this.others = List.copyOf(live);
		synchronized (this) {
			this.foreign = held;
			update();
		}
		return changed;
	}

	private static List<String> names(List<ShardMember> members) {
		return members.stream().map(ShardMember::name).sorted().toList();
	}

	void leaving(boolean leaves) {
		this.leaving = leaves;
	}

	/**
	 * Returns the slots that other members hold.
	 * @return the slots
	 */
	synchronized SlotSet foreign() {
		return this.foreign;
	}

	/**
	 * Returns the slots without a known holder, and since when they have none.
	 * @return the time at which each of these slots lost its holder, by slot
	 */
	public synchronized Map<Integer, Instant> vacant() {
		update();
		return new TreeMap<>(this.vacant);
	}

	private void update() {
		Set<Integer> mine = this.own.get();
		Instant now = this.clock.get();
		for (int slot = 0; slot < this.spec.slots().total(); slot++) {
			if (mine.contains(slot) || this.foreign.contains(slot)) {
				this.vacant.remove(slot);
			}
			else {
				this.vacant.putIfAbsent(slot, now);
			}
		}
	}

	/**
	 * Forgets all other members.
	 */
	synchronized void clear() {
		this.others = List.of();
		this.foreign = SlotSet.none();
		this.vacant.clear();
		this.leaving = false;
	}

	/**
	 * Returns the live members.
	 * @return the members by name, including this process
	 */
	public List<ShardMember> members() {
		List<ShardMember> members = new ArrayList<>(this.others);
		members.add(new ShardMember(this.spec.identity(), this.own.get(), true, this.leaving));
		members.sort(Comparator.comparing(ShardMember::name));
		return List.copyOf(members);
	}

}
