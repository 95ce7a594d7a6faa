package dev.kubeinformer.internal.shards;

import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * Immutable set of slots. Its text, such as {@code 0-12,20}, is the form in a Lease.
 */
public final class SlotSet {

	/** Largest number of slots, which bounds the memory for a text from a Lease. */
	public static final int MAXIMUM = 4096;

	private static final SlotSet NONE = new SlotSet(new BitSet());

	private final BitSet bits;

	private SlotSet(BitSet bits) {
		this.bits = bits;
	}

	/**
	 * Returns the empty set.
	 * @return the set
	 */
	public static SlotSet none() {
		return NONE;
	}

	/**
	 * Returns a set of slots.
	 * @param slots the slots
	 * @return the set
	 */
	public static SlotSet of(int... slots) {
		BitSet bits = new BitSet();
		for (int slot : slots) {
			bits.set(slot);
		}
		return new SlotSet(bits);
	}

	/**
	 * Returns a set of slots.
	 * @param slots the slots
	 * @return the set
	 */
	public static SlotSet of(Collection<Integer> slots) {
		BitSet bits = new BitSet();
		slots.forEach(bits::set);
		return new SlotSet(bits);
	}

	/**
	 * Returns all slots of a range.
	 * @param from the first slot
	 * @param to the slot after the last one
	 * @return the set
	 */
	public static SlotSet range(int from, int to) {
		BitSet bits = new BitSet();
		bits.set(from, to);
		return new SlotSet(bits);
	}

	/**
	 * Parses the text of a set.
	 * @param text the text, such as {@code 0-12,20}; empty for the empty set
	 * @return the set
	 * @throws IllegalArgumentException if the text is not valid
	 */
	public static SlotSet parse(String text) {
		BitSet bits = new BitSet();
		if (!text.isEmpty()) {
			for (String part : text.split(",", -1)) {
				int dash = part.indexOf('-');
				int first = number((dash < 0) ? part : part.substring(0, dash), text);
				int last = (dash < 0) ? first : number(part.substring(dash + 1), text);
				if (first > last) {
					throw invalid(text);
				}
				bits.set(first, last + 1);
			}
		}
		return new SlotSet(bits);
	}

	private static int number(String digits, String text) {
		boolean valid = !digits.isEmpty() && digits.length() <= 4
				&& digits.chars().allMatch((c) -> c >= '0' && c <= '9');
		int number = valid ? Integer.parseInt(digits) : MAXIMUM;
		if (number >= MAXIMUM) {
			throw invalid(text);
		}
		return number;
	}

	private static IllegalArgumentException invalid(String text) {
		String shown = (text.length() <= 100) ? text : text.substring(0, 100) + "…";
		return new IllegalArgumentException("Invalid slots '%s': use ascending ranges from 0 to %d, such as '0-12,20'"
			.formatted(shown, MAXIMUM - 1));
	}

	/**
	 * Returns whether the set contains a slot.
	 * @param slot the slot
	 * @return {@code true} if the set contains the slot
	 */
	public boolean contains(int slot) {
		return this.bits.get(slot);
	}

	/**
	 * Returns whether the set contains all slots of another set.
	 * @param other the other set
	 * @return {@code true} if this set contains all of them
	 */
	public boolean containsAll(SlotSet other) {
		return other.minus(this).isEmpty();
	}

	/**
	 * Returns whether the set has no slot.
	 * @return {@code true} if the set is empty
	 */
	public boolean isEmpty() {
		return this.bits.isEmpty();
	}

	/**
	 * Returns the number of slots.
	 * @return the number
	 */
	public int size() {
		return this.bits.cardinality();
	}

	/**
	 * Returns the number after the largest slot.
	 * @return the number; 0 for the empty set
	 */
	public int bound() {
		return this.bits.length();
	}

	/**
	 * Returns the slots of this set and of another set.
	 * @param other the other set
	 * @return the union
	 */
	public SlotSet union(SlotSet other) {
		if (other.isEmpty()) {
			return this;
		}
		BitSet result = copy();
		result.or(other.bits);
		return new SlotSet(result);
	}

	/**
	 * Returns the slots of this set that are not in another set.
	 * @param other the other set
	 * @return the difference
	 */
	public SlotSet minus(SlotSet other) {
		if (!this.bits.intersects(other.bits)) {
			return this;
		}
		BitSet result = copy();
		result.andNot(other.bits);
		return new SlotSet(result);
	}

	/**
	 * Returns the slots that are in this set and in another set.
	 * @param other the other set
	 * @return the intersection
	 */
	public SlotSet intersect(SlotSet other) {
		if (!this.bits.intersects(other.bits)) {
			return NONE;
		}
		BitSet result = copy();
		result.and(other.bits);
		return new SlotSet(result);
	}

	/**
	 * Returns the slots in ascending order.
	 * @return the slots
	 */
	public IntStream stream() {
		return this.bits.stream();
	}

	/**
	 * Returns the slots in ascending order.
	 * @return the slots
	 */
	public List<Integer> toList() {
		return stream().boxed().toList();
	}

	private BitSet copy() {
		return (BitSet) this.bits.clone();
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof SlotSet set && this.bits.equals(set.bits);
	}

	@Override
	public int hashCode() {
		return this.bits.hashCode();
	}

	/**
	 * Returns the text of the set.
	 */
	@Override
	public String toString() {
		StringBuilder text = new StringBuilder();
		for (int first = this.bits.nextSetBit(0); first >= 0;) {
			int end = this.bits.nextClearBit(first);
			text.append(text.isEmpty() ? "" : ",").append(first);
			if (end > first + 1) {
				text.append('-').append(end - 1);
			}
			first = this.bits.nextSetBit(end);
		}
		return text.toString();
	}

}
