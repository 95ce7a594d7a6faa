package dev.kubeinformer.internal.workqueue;

/**
 * Ticket for one wait of a parked key: the number of writes that it awaits and, once the
 * wait is over, its duration. Each wait has a ticket of its own, so a write that arrives
 * late for an earlier wait does not count for this one.
 */
final class ParkedKey {

	final KeyEntry entry;

	/** Number of writes that are still awaited. */
	int awaited;

	/** Start of the wait; after its end, its duration. */
	long time;

	/** Whether the wait ended because the caches show all writes. */
	boolean seen;

	ParkedKey(KeyEntry entry, int awaited, long since) {
		this.entry = entry;
		this.awaited = awaited;
		this.time = since;
	}

}
