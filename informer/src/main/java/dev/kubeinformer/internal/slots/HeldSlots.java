package dev.kubeinformer.internal.slots;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Slots of this process at one moment, each with the number of its gain. A slot that was
 * lost and gained again has another number, so a list that was requested before is not
 * taken for the new gain. Immutable.
 *
 * @param gains the numbers of the gains by slot
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
	 * Returns no slots.
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
	 * Returns these slots with others, which were gained just now.
	 * @param slots the other slots; those that are held keep their number
	 * @param number the number of the gain
	 * @return the slots
	 */
	public HeldSlots with(Set<Integer> slots, long number) {
		Map<Integer, Long> next = new TreeMap<>(this.gains);
		slots.forEach((slot) -> next.putIfAbsent(slot, number));
		return new HeldSlots(next);
	}

	/**
	 * Returns these slots without others.
	 * @param slots the other slots
	 * @return the slots
	 */
	public HeldSlots without(Set<Integer> slots) {
		Map<Integer, Long> next = new TreeMap<>(this.gains);
		next.keySet().removeAll(slots);
		return new HeldSlots(next);
	}

	/**
	 * Returns these slots without the same gains of others.
	 * @param other the other slots
	 * @return the slots
	 */
	public HeldSlots minus(HeldSlots other) {
		Map<Integer, Long> next = new TreeMap<>(this.gains);
		next.entrySet().removeAll(other.gains.entrySet());
		return new HeldSlots(next);
	}

	/**
	 * Returns those of these slots that others contain with the same gain.
	 * @param other the other slots
	 * @return the slots
	 */
	public HeldSlots within(HeldSlots other) {
		Map<Integer, Long> next = new TreeMap<>(this.gains);
		next.entrySet().retainAll(other.gains.entrySet());
		return new HeldSlots(next);
	}

	/**
	 * Returns all of these slots and of others.
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
