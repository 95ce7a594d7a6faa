package dev.kubeinformer.spring.shard;

import java.util.Collection;
import java.util.StringJoiner;
import java.util.TreeSet;

/**
 * Writes the indexes of shard slots as ranges. Internal to the starter.
 */
public final class SlotRanges {

	private SlotRanges() {
	}

	/**
	 * Writes the indexes of slots.
	 * @param slots the indexes of the slots
	 * @return the ranges in ascending order, such as {@code 0-12,20}; empty for no slot
	 */
	public static String of(Collection<Integer> slots) {
		StringJoiner ranges = new StringJoiner(",");
		Integer first = null;
		Integer last = null;
		for (Integer slot : new TreeSet<>(slots)) {
			if (first != null && last != null && slot != last + 1) {
				ranges.add(text(first, last));
				first = slot;
			}
			first = (first != null) ? first : slot;
			last = slot;
		}
		return (first != null && last != null) ? ranges.add(text(first, last)).toString() : "";
	}

	private static String text(int first, int last) {
		return (first == last) ? Integer.toString(first) : first + "-" + last;
	}

}
