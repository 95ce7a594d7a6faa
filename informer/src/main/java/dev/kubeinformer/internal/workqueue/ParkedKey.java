package dev.kubeinformer.internal.workqueue;

/**
 * One parking of a key: the number of awaited writes and, once it is over, its duration.
 * Writes that arrive for an earlier parking have another ticket.
 */
final class ParkedKey {

	final KeyEntry entry;

	/** Number of writes that are still awaited. */
	int awaited;

	/** Start of the parking; once it is over, its duration. */
	long time;

	/** Whether all writes were seen. */
	boolean seen;

	ParkedKey(KeyEntry entry, int awaited, long since) {
		this.entry = entry;
		this.awaited = awaited;
		this.time = since;
	}

}
