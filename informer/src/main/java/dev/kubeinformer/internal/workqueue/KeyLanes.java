package dev.kubeinformer.internal.workqueue;

import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.QueueLane;

/**
 * Ready keys in their lanes ({@link QueueLane}), first in, first out. Keys of an earlier
 * lane come first, but every fourth key comes from one of the later lanes, which take
 * turns.
 */
final class KeyLanes {

	private static final QueueLane[] LANES = QueueLane.values();

	private static final int SHARE = 4;

	private final @Nullable KeyEntry[] first = new @Nullable KeyEntry[LANES.length];

	private final @Nullable KeyEntry[] last = new @Nullable KeyEntry[LANES.length];

	private final int[] sizes = new int[LANES.length];

	/**
	 * Number of keys taken since a later lane had its last turn. Every fourth key is such
	 * a turn.
	 */
	private int handOuts;

	/** Ordinal of the later {@link QueueLane} that has the next turn. */
	private int turn = 1;

	void add(KeyEntry entry) {
		int lane = entry.lane;
		KeyEntry before = this.last[lane];
		entry.previous = before;
		if (before != null) {
			before.next = entry;
		}
		else {
			this.first[lane] = entry;
		}
		this.last[lane] = entry;
		this.sizes[lane]++;
	}

	void remove(KeyEntry entry) {
		int lane = entry.lane;
		KeyEntry previous = entry.previous;
		KeyEntry next = entry.next;
		if (previous != null) {
			previous.next = next;
		}
		else {
			this.first[lane] = next;
		}
		if (next != null) {
			next.previous = previous;
		}
		else {
			this.last[lane] = previous;
		}
		entry.previous = null;
		entry.next = null;
		this.sizes[lane]--;
	}

	/**
	 * Chooses the next key. The caller must remove it.
	 * @return the entry of the key; {@code null} if none is ready
	 */
	@Nullable KeyEntry next() {
		if (isEmpty()) {
			return null;
		}
		this.handOuts++;
		KeyEntry entry = null;
		if (this.handOuts >= SHARE) {
			this.handOuts = 0;
			entry = lower();
		}
		for (int i = 0; entry == null && i < LANES.length; i++) {
			entry = this.first[i];
		}
		return entry;
	}

	private @Nullable KeyEntry lower() {
		for (int i = 1; i < LANES.length; i++) {
			int lane = this.turn;
			this.turn = (lane + 1 < LANES.length) ? lane + 1 : 1;
			if (this.first[lane] != null) {
				return this.first[lane];
			}
		}
		return null;
	}

	int size(QueueLane lane) {
		return this.sizes[lane.ordinal()];
	}

	boolean isEmpty() {
		return this.first[0] == null && this.first[1] == null && this.first[2] == null;
	}

	/**
	 * Returns the time at which the key that has waited longest became ready.
	 * @return the time; {@link KeyQueue#NEVER} if none is ready
	 */
	long oldest() {
		long oldest = KeyQueue.NEVER;
		for (KeyEntry entry : this.first) {
			oldest = (entry != null) ? Math.min(oldest, entry.time) : oldest;
		}
		return oldest;
	}

	void first(int limit, Consumer<KeyEntry> action) {
		int left = limit;
		for (KeyEntry head : this.first) {
			for (KeyEntry entry = head; entry != null && left > 0; entry = entry.next) {
				action.accept(entry);
				left--;
			}
		}
	}

}
