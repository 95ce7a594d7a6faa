package dev.kubeinformer.internal.slots;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Slots that this process holds at one moment. A slot is a group of objects that moves
 * between replicas. Each slot has a number that it got when this process gained it. If a
 * slot is lost and gained again, its number changes. So a list that was requested before
 * the new gain does not count for the slot. Immutable.
 *
 * @param gains the number of the gain of each slot
 */
public record HeldSlots(Map<Integer, Long> gains) {

	private static final HeldSlots NONE = new HeldSlots(Map.of());

	/**
	 * Creates the slots.
	 */
	public HeldSlots {
		gains = Collections.unmodifiableMap(new TreeMap<>(gains));
	}

	/**
	 * Returns a set without slots.
	 * @return the empty set
	 */
	public static HeldSlots none() {
		return NONE;
	}

	/**
	 * Returns whether there are no slots.
	 * @return {@code true} if no slot is held
	 */
	public boolean isEmpty() {
		return this.gains.isEmpty();
	}

	/**
	 * Returns the indexes of the slots.
	 * @return the slots in ascending order
	 */
	public Set<Integer> slots() {
		return this.gains.keySet();
	}

	/**
	 * Returns a set with these slots and others that were just gained.
	 * @param slots the gained slots; those that were held before keep their number
	 * @param number the number of the gain
	 * @return the slots
	 */
	public HeldSlots with(Set<Integer> slots, long number) {
		Map<Integer, Long> next = new TreeMap<>(this.gains);
		slots.forEach((slot) -> next.putIfAbsent(slot, number));
		return new HeldSlots(next);
	}

	/**
	 * Returns a set with these slots except the given ones.
	 * @param slots the slots to leave out
	 * @return the slots
	 */
	public HeldSlots without(Set<Integer> slots) {
		Map<Integer, Long> next = new TreeMap<>(this.gains);
		next.keySet().removeAll(slots);
		return new HeldSlots(next);
	}

	/**
	 * Returns the slots of this set that another set either does not contain, or contains
	 * with another number.
	 * @param other the other slots
	 * @return the slots
	 */
	public HeldSlots minus(HeldSlots other) {
		Map<Integer, Long> next = new TreeMap<>(this.gains);
		next.entrySet().removeAll(other.gains.entrySet());
		return new HeldSlots(next);
	}

	/**
	 * Returns the slots of this set that another set contains with the same number.
	 * @param other the other slots
	 * @return the slots
	 */
	public HeldSlots within(HeldSlots other) {
		Map<Integer, Long> next = new TreeMap<>(this.gains);
		next.entrySet().retainAll(other.gains.entrySet());
		return new HeldSlots(next);
	}

	/**
	 * Returns the slots of this set and of another one. A slot that is in both gets its
	 * number from the other set.
	 * @param other the other slots
	 * @return the slots
	 */
	public HeldSlots and(HeldSlots other) {
		Map<Integer, Long> next = new TreeMap<>(this.gains);
		next.putAll(other.gains);
		return new HeldSlots(next);
	}

	@Override
	public String toString() {
		return new TreeSet<>(this.gains.keySet()).toString();
	}

}
