package dev.kubeinformer.internal.workqueue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Keys that fail for longest. The first few are kept; when one of them fails no longer,
 * the others are looked for once somebody asks.
 */
final class LongestFailing {

	static final int LIMIT = 20;

	private final KeyTable table;

	private final List<KeyEntry> longest = new ArrayList<>(LIMIT);

	/** The number of all keys that fail. */
	private int size;

	LongestFailing(KeyTable table) {
		this.table = table;
	}

	void began(KeyEntry entry) {
		// Where some are missing, those that failed earlier go first.
		if (this.longest.size() == this.size && this.size < LIMIT) {
			this.longest.add(entry);
		}
		this.size++;
	}

	void ended(KeyEntry entry) {
		this.longest.remove(entry);
		this.size--;
	}

	int size() {
		return this.size;
	}

	List<KeyEntry> list() {
		if (this.longest.size() < Math.min(this.size, LIMIT)) {
			PriorityQueue<KeyEntry> latestFirst = new PriorityQueue<>(
					Comparator.comparingInt((KeyEntry entry) -> entry.failingSince).reversed());
			this.table.forEach((entry) -> {
				if (entry.failures > 0) {
					latestFirst.add(entry);
					if (latestFirst.size() > LIMIT) {
						latestFirst.remove();
					}
				}
			});
			this.longest.clear();
			this.longest.addAll(latestFirst);
			this.longest.sort(Comparator.comparingInt((entry) -> entry.failingSince));
		}
		return this.longest;
	}

}
