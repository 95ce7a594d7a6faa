package dev.kubeinformer.internal.slots;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.text.ResourceVersions;

/**
 * Slots that a list shows.
 *
 * @param slots the slots that were requested
 * @param followed the version up to which a watch has followed the other slots, for a
 * list of gained slots; {@code null} for a list of all slots
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
	 * Returns whether the other slots do not change.
	 * @return {@code true} for a list of gained slots
	 */
	public boolean isGain() {
		return this.followed != null;
	}

	/**
	 * Returns the version of the partition after the list. That of a gain is the older
	 * one, because the other slots, or the gained ones, have not reached the newer one.
	 * @param listed the version of the list
	 * @return the version
	 */
	public String version(String listed) {
		return (this.followed != null) ? ResourceVersions.oldest(this.followed, listed) : listed;
	}

	/**
	 * Returns the part of the content that the list shows. Called under the lock.
	 * @param table the slots
	 * @param partition the partition
	 * @return the part
	 */
	public ListedPart part(SlotTable table, String partition) {
		HeldSlots valid = this.slots.within(table.held());
		return new ListedPart(table, valid.slots(), valid.minus(table.full(partition)).slots(), isGain());
	}

	/**
	 * Notes the list. Called under the lock, after it was stored.
	 * @param table the slots
	 * @param partition the partition
	 * @param version the version of the list
	 */
	public void note(SlotTable table, String partition, String version) {
		if (this.followed != null) {
			table.followed(partition, this.followed);
		}
		// No watch repeats what came before a list of all slots. The marker of a
		// streaming
		// list may even be newer than the next events.
		table.listed(partition, this.slots, isGain() ? version : "");
	}

}
