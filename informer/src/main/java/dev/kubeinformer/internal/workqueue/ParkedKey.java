package dev.kubeinformer.internal.workqueue;

/**
 * One parking of a key: what is left of it, and when it is over, how long it took. Writes
 * that arrive for an earlier parking have another ticket.
 */
final class ParkedKey {

	final KeyEntry entry;

	/** The number of writes that are still awaited. */
	int awaited;

	/** When it began; after it, how long it took. */
	long time;

	/** Whether all writes were seen. */
	boolean seen;

	ParkedKey(KeyEntry entry, int awaited, long since) {
		this.entry = entry;
		this.awaited = awaited;
		this.time = since;
	}

}
