package dev.kubeinformer.internal.slots;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.text.ResourceVersions;
import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.Slots;

/**
 * Slots of a cache whose objects are divided into slots: the slots that this process
 * holds, and for each partition the slots of which the cache holds a full state.
 * <p>
 * A full slot has a <b>base</b>: the version of the state that the cache shows. A gained
 * slot is listed alone, so its base may be newer than the last event of the watch. If the
 * watch is reopened from the version of that event, it repeats events. An event that is
 * not newer than the base of its slot is such a repetition. A base only grows, until the
 * slot is listed again.
 * <p>
 * Not thread-safe: guarded by the lock of the store. Only {@link #held()} and
 * {@link #isSettled()} may be called by any thread.
 */
public final class SlotTable {

	private final Slots division;

	/**
	 * Base of each slot by partition. It is empty if no event can be repeated, and
	 * {@code null} if the slot is not full.
	 */
	private final Map<String, @Nullable String[]> bases = new HashMap<>();

	private volatile HeldSlots held = HeldSlots.none();

	private volatile boolean settled;

	private long gains;

	/**
	 * Creates a table without slots.
	 * @param division the division of objects into slots
	 * @param partitions the partitions of the store
	 */
	public SlotTable(Slots division, Collection<String> partitions) {
		this.division = division;
		partitions.forEach(this::add);
	}

	/**
	 * Returns the division of objects into slots.
	 * @return the division
	 */
	public Slots division() {
		return this.division;
	}

	/**
	 * Returns the held slots.
	 * @return the slots, full or not
	 */
	public HeldSlots held() {
		return this.held;
	}

	/**
	 * Returns whether this process knows its first share of the slots.
	 * @return {@code true} if the held slots are the share of this process; {@code false}
	 * if the share is not known
	 */
	public boolean isSettled() {
		return this.settled;
	}

	/**
	 * Notes that this process knows its first share of the slots.
	 */
	public void settle() {
		this.settled = true;
	}

	/**
	 * Notes that this process does not know its share of the slots any more.
	 */
	public void unsettle() {
		this.settled = false;
	}

	/**
	 * Adds slots. They are not full until a list has shown them.
	 * @param slots the slots; those that are held already do not change
	 */
	public void gain(Set<Integer> slots) {
		this.held = this.held.with(slots, ++this.gains);
	}

	/**
	 * Removes slots.
	 * @param slots the slots
	 */
	public void release(Set<Integer> slots) {
		this.held = this.held.without(slots);
		this.bases.values().forEach((base) -> slots.forEach((slot) -> base[slot] = null));
	}

	/**
	 * Adds a partition without a full slot.
	 * @param partition the partition
	 */
	public void add(String partition) {
		this.bases.put(partition, new String[this.division.total()]);
	}

	/**
	 * Removes a partition.
	 * @param partition the partition
	 */
	public void remove(String partition) {
		this.bases.remove(partition);
	}

	/**
	 * Notes that every slot must be listed again before it is full.
	 */
	public void restart() {
		this.bases.values().forEach((base) -> Arrays.fill(base, null));
	}

	/**
	 * Returns the slots of which a partition holds a full state.
	 * @param partition the partition
	 * @return the slots
	 */
	public HeldSlots full(String partition) {
		@Nullable String[] base = this.bases.get(partition);
		if (base == null) {
			return HeldSlots.none();
		}
		Map<Integer, Long> full = new TreeMap<>(this.held.gains());
		full.keySet().removeIf((slot) -> base[slot] == null);
		return new HeldSlots(full);
	}

	/**
	 * Returns the slots that are full in every given partition.
	 * @param partitions the partitions
	 * @return the indexes of the slots
	 */
	public Set<Integer> full(Collection<String> partitions) {
		Set<Integer> full = new TreeSet<>(this.held.slots());
		partitions.forEach((partition) -> full.retainAll(full(partition).slots()));
		return full;
	}

	/**
	 * Returns whether a partition holds a full state of every held slot.
	 * @param partition the partition
	 * @return {@code true} if no list of a slot is awaited
	 */
	public boolean isFull(String partition) {
		return full(partition).gains().size() == this.held.gains().size();
	}

	/**
	 * Notes a list of slots.
	 * @param partition the partition
	 * @param listed the slots that the list shows; those that are not held any more are
	 * ignored
	 * @param version the version of the list; empty if no watch repeats earlier events
	 */
	public void listed(String partition, HeldSlots listed, String version) {
		@Nullable String[] base = this.bases.get(partition);
		if (base != null) {
			listed.within(this.held).slots().forEach((slot) -> base[slot] = version);
		}
	}

	/**
	 * Notes that a watch has shown all changes of the full slots up to a version. The
	 * next watch may begin before that version.
	 * @param partition the partition
	 * @param version the version
	 */
	public void followed(String partition, String version) {
		@Nullable String[] base = this.bases.get(partition);
		for (int slot = 0; base != null && slot < base.length; slot++) {
			String before = base[slot];
			base[slot] = (before != null) ? ResourceVersions.newest(before, version) : null;
		}
	}

	/**
	 * Returns the slot of an object.
	 * @param namespace its namespace, empty for cluster-scoped objects
	 * @param uid its UID, empty if unknown
	 * @return the index; negative if the slot cannot be known without a UID
	 */
	public int slotOf(String namespace, String uid) {
		return (this.division.key() == ShardKey.UID && uid.isEmpty()) ? -1 : this.division.slotOf(namespace, uid);
	}

	/**
	 * Returns whether an addition or a change is new to the cache, and not repeated by a
	 * watch.
	 * @param partition the partition
	 * @param slot the slot of the object; negative if unknown
	 * @param version the version of the object
	 * @return {@code false} if the slot is not full, or if its list showed the change
	 */
	public boolean isNews(String partition, int slot, String version) {
		if (slot < 0) {
			return true;
		}
		String base = base(partition, slot);
		return base != null && !(ResourceVersions.isOrdered(version) && ResourceVersions.hasReached(base, version));
	}

	/**
	 * Returns whether a deletion is new to the cache, and not repeated by a watch. A
	 * deletion may carry the version of the object's last change (kubernetes#58545), so
	 * it is also new if the cache holds the object in exactly that version.
	 * @param partition the partition
	 * @param slot the slot of the object; negative if unknown
	 * @param version the version of the deletion
	 * @param cached the version of the cached object; {@code null} if there is none
	 * @return {@code false} if the cache has no full state of the slot, or if that state
	 * already includes the deletion
	 */
	public boolean isDeletionNews(String partition, int slot, String version, @Nullable String cached) {
		return isNews(partition, slot, version)
				|| (version.equals(cached) && slot >= 0 && base(partition, slot) != null);
	}

	private @Nullable String base(String partition, int slot) {
		@Nullable String[] base = this.bases.get(partition);
		return (base != null) ? base[slot] : null;
	}

}
