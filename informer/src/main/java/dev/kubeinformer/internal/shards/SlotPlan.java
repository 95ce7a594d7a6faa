package dev.kubeinformer.internal.shards;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Distribution of slots over the members of a group: rendezvous hashing with bounded load
 * that keeps what members already have.
 * <p>
 * All members with the same view compute the same plan, without a coordinator. The number
 * of slots differs by at most one between members. As few slots as possible move: a
 * member that has more than its quota keeps those with its highest scores, and all other
 * slots go to members below their quota, in the order of the scores. If quotas differ,
 * members that already have more than the smaller quota get the larger one first, because
 * they would otherwise lose one more slot.
 * <p>
 * The plan does not change while it is carried out: a slot that moved as planned is kept
 * by its new member, and the order of the others stays the same. So members that see the
 * moves at different times still agree.
 */
public final class SlotPlan {

	private final Map<String, SlotSet> slots;

	private SlotPlan(Map<String, SlotSet> slots) {
		this.slots = slots;
	}

	/**
	 * Computes the plan.
	 * @param slots the number of slots
	 * @param shares the members with their present slots
	 * @return the plan
	 */
	public static SlotPlan of(int slots, Collection<Share> shares) {
		List<Share> members = new ArrayList<>(shares);
		members.sort(Comparator.comparing(Share::name));
		return new SlotPlan(members.isEmpty() ? Map.of() : new Computation(slots, members).plan());
	}

	/**
	 * Returns the slots that a member should have.
	 * @param name the name of the member
	 * @return the slots; empty for an unknown member
	 */
	public SlotSet of(String name) {
		return this.slots.getOrDefault(name, SlotSet.none());
	}

	/**
	 * Returns the score of a member for a slot.
	 * @param name the name of the member
	 * @param slot the slot
	 * @return the score
	 */
	static long score(String name, int slot) {
		return score(hash(name), slot);
	}

	private static long score(long hash, int slot) {
		return mixed(hash + slot * 0x9E3779B97F4A7C15L);
	}

	/**
	 * Returns whether one member is before another one for a slot.
	 * @param name the name of the member
	 * @param other the name of the other member
	 * @param slot the slot
	 * @return {@code true} if the member has the higher score, or the same score and the
	 * lower name
	 */
	static boolean isBefore(String name, String other, int slot) {
		int compared = Long.compare(score(name, slot), score(other, slot));
		return (compared != 0) ? compared > 0 : name.compareTo(other) < 0;
	}

	private static long hash(String name) {
		// FNV-1a is the same on every JVM.
		long hash = 0xcbf29ce484222325L;
		for (int i = 0; i < name.length(); i++) {
			hash = (hash ^ name.charAt(i)) * 0x100000001b3L;
		}
		return hash;
	}

	private static long mixed(long value) {
		// The final mixing of splitmix64, because FNV-1a hardly mixes its last bytes.
		long mixed = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
		mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
		return mixed ^ (mixed >>> 31);
	}

	/**
	 * Slots of a member.
	 *
	 * @param name the name of the member
	 * @param held the slots that the member holds
	 * @param claimed the slots that the member claims
	 */
	public record Share(String name, SlotSet held, SlotSet claimed) {

	}

	private static final class Computation {

		private static final int NOBODY = -1;

		private final int slots;

		private final List<Share> members;

		private final int[] owners;

		private final int[] counts;

		Computation(int slots, List<Share> members) {
			this.slots = slots;
			this.members = members;
			this.owners = new int[slots];
			this.counts = new int[members.size()];
			Arrays.fill(this.owners, NOBODY);
		}

		Map<String, SlotSet> plan() {
			findOwners();
			int[] quotas = quotas();
			for (int member = 0; member < quotas.length; member++) {
				releaseSurplus(member, this.counts[member] - quotas[member]);
			}
			assignFree(quotas);
			Map<String, SlotSet> plan = new HashMap<>();
			List<List<Integer>> assigned = new ArrayList<>();
			this.members.forEach((member) -> assigned.add(new ArrayList<>()));
			for (int slot = 0; slot < this.slots; slot++) {
				assigned.get(this.owners[slot]).add(slot);
			}
			for (int member = 0; member < assigned.size(); member++) {
				plan.put(name(member), SlotSet.of(assigned.get(member)));
			}
			return plan;
		}

		private void findOwners() {
			for (int member = 0; member < this.members.size(); member++) {
				Share share = this.members.get(member);
				for (int slot = 0; slot < this.slots; slot++) {
					if (isOwner(share, slot, this.owners[slot])) {
						this.owners[slot] = member;
					}
				}
			}
			for (int owner : this.owners) {
				if (owner != NOBODY) {
					this.counts[owner]++;
				}
			}
		}

		private boolean isOwner(Share share, int slot, int before) {
			// A holder precedes members that claim the slot. Among those, the score
			// decides.
			boolean holds = share.held().contains(slot);
			if (!holds && !share.claimed().contains(slot)) {
				return false;
			}
			if (before == NOBODY) {
				return true;
			}
			Share other = this.members.get(before);
			boolean otherHolds = other.held().contains(slot);
			return (holds != otherHolds) ? holds : isBefore(share.name(), other.name(), slot);
		}

		private int[] quotas() {
			int smaller = this.slots / this.members.size();
			int larger = this.slots % this.members.size();
			int[] quotas = new int[this.members.size()];
			Arrays.fill(quotas, smaller);
			// The names decide among equal members. The numbers of their slots cannot,
			// because they change during moves.
			for (boolean above : new boolean[] { true, false }) {
				for (int member = 0; member < quotas.length && larger > 0; member++) {
					if ((this.counts[member] > smaller) == above) {
						quotas[member]++;
						larger--;
					}
				}
			}
			return quotas;
		}

		private void releaseSurplus(int member, int surplus) {
			if (surplus > 0) {
				long hash = hash(name(member));
				List<Integer> own = new ArrayList<>();
				for (int slot = 0; slot < this.slots; slot++) {
					if (this.owners[slot] == member) {
						own.add(slot);
					}
				}
				own.sort(Comparator.comparingLong((slot) -> score(hash, slot)));
				own.subList(0, surplus).forEach((slot) -> this.owners[slot] = NOBODY);
				this.counts[member] -= surplus;
			}
		}

		private void assignFree(int[] quotas) {
			List<Offer> offers = new ArrayList<>();
			for (int member = 0; member < quotas.length; member++) {
				long hash = hash(name(member));
				for (int slot = 0; this.counts[member] < quotas[member] && slot < this.slots; slot++) {
					if (this.owners[slot] == NOBODY) {
						offers.add(new Offer(slot, member, score(hash, slot)));
					}
				}
			}
			Collections.sort(offers);
			for (Offer offer : offers) {
				if (this.owners[offer.slot] == NOBODY && this.counts[offer.member] < quotas[offer.member]) {
					this.owners[offer.slot] = offer.member;
					this.counts[offer.member]++;
				}
			}
		}

		private String name(int member) {
			return this.members.get(member).name();
		}

	}

	/** Free slot that a member could have; the best one is the first. */
	private record Offer(int slot, int member, long score) implements Comparable<Offer> {

		@Override
		public int compareTo(Offer other) {
			int compared = Long.compare(other.score, this.score);
			if (compared == 0) {
				compared = Integer.compare(this.slot, other.slot);
			}
			return (compared != 0) ? compared : Integer.compare(this.member, other.member);
		}

	}

}
