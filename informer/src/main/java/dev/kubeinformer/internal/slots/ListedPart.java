package dev.kubeinformer.internal.slots;

import java.util.BitSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Part of a partition that a list shows: all objects, or the objects of the slots that
 * this process has held without interruption since it requested the list.
 */
public final class ListedPart {

	/** Part of a list whose objects are not divided by slots. */
	public static final ListedPart WHOLE = new ListedPart(null, Set.of(), Set.of(), false);

	private final @Nullable SlotTable table;

	private final BitSet slots = new BitSet();

	private final BitSet fresh = new BitSet();

	private final boolean gain;

	ListedPart(@Nullable SlotTable table, Set<Integer> slots, Set<Integer> fresh, boolean gain) {
		this.table = table;
		slots.forEach(this.slots::set);
		fresh.forEach(this.fresh::set);
		this.gain = gain;
	}

	/**
	 * Returns whether the list shows the state of an object.
	 * @param namespace its namespace, empty for cluster-scoped objects
	 * @param uid its UID, empty if unknown
	 * @return {@code true} if the object is in this part
	 */
	public boolean contains(String namespace, String uid) {
		if (this.table == null) {
			return true;
		}
		int slot = this.table.slotOf(namespace, uid);
		return (slot < 0) ? !this.gain : this.slots.get(slot);
	}

	/**
	 * Returns whether this is the first list that shows the slot of an object.
	 * @param namespace the namespace of the object, empty for cluster-scoped ones
	 * @param uid the UID of the object, empty if unknown
	 * @return {@code true} if the cache held no full state of the slot before, so its
	 * objects are part of the initial state
	 */
	public boolean isFresh(String namespace, String uid) {
		int slot = (this.table != null) ? this.table.slotOf(namespace, uid) : -1;
		return slot >= 0 && this.fresh.get(slot);
	}

	/**
	 * Returns whether the list only shows slots that were just gained. A watch follows
	 * the other slots, so their objects may be newer than the list.
	 * @return {@code true} if the list only shows gained slots
	 */
	public boolean isGain() {
		return this.gain;
	}

}
