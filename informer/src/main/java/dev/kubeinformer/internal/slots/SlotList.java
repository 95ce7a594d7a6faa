package dev.kubeinformer.internal.slots;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.text.ResourceVersions;

/**
 * Slots whose objects a list shows.
 *
 * @param slots the slots that were requested
 * @param followed for a list of gained slots, the version up to which a watch has shown
 * all other slots; {@code null} for a list of all slots
 */
public record SlotList(HeldSlots slots, @Nullable String followed) {

	/**
	 * Creates a list of all slots that are held.
	 * @param slots the slots
	 */
	public SlotList(HeldSlots slots) {
		this(slots, null);
	}

	/**
	 * Returns whether the list shows only gained slots, so that it leaves other slots
	 * unchanged.
	 * @return {@code true} for a list of gained slots
	 */
	public boolean isGain() {
		return this.followed != null;
	}

	/**
	 * Returns the version of the partition after the list. After a list of gained slots,
	 * these have the version of the list, and the other slots have the version up to
	 * which a watch has shown them. The older one of the two is returned.
	 * @param listed the version of the list
	 * @return the version
	 */
	public String version(String listed) {
		return (this.followed != null) ? ResourceVersions.oldest(this.followed, listed) : listed;
	}

	/**
	 * Returns the part of the content that the list shows. Called under the lock of the
	 * store.
	 * @param table the slots of the store
	 * @param partition the partition
	 * @return the part
	 */
	public ListedPart part(SlotTable table, String partition) {
		HeldSlots valid = this.slots.within(table.held());
		return new ListedPart(table, valid.slots(), valid.minus(table.full(partition)).slots(), isGain());
	}

	/**
	 * Notes the list in the table of slots. Called under the lock of the store, after the
	 * list was stored.
	 * @param table the slots of the store
	 * @param partition the partition
	 * @param version the version of the list
	 */
	public void note(SlotTable table, String partition, String version) {
		if (this.followed != null) {
			table.followed(partition, this.followed);
		}
		// After a list of all slots, no watch repeats earlier events, so no version is
		// needed. The version at the end of a streaming list may even be newer than the
		// next events.
		table.listed(partition, this.slots, isGain() ? version : "");
	}

}
