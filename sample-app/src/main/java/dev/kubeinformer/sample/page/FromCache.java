package dev.kubeinformer.sample.page;

/**
 * Counts the events of a queue that the API server did not send: the initial state,
 * resyncs, and differences that a list found. The number is the difference of two totals,
 * which are not read at the same time. So a difference counts only if the next reading
 * confirms it.
 */
final class FromCache {

	private long queuedBefore;

	private long receivedBefore;

	private long balance;

	private long balanceBefore;

	/**
	 * Compares both numbers.
	 * @param queued the total number of events in the queue
	 * @param received the total number of events that the API server sent
	 * @return the number of events from the cache since the last call
	 */
	long look(long queued, long received) {
		// A restarted handler counts from 0.
		long more = (queued >= this.queuedBefore) ? queued - this.queuedBefore : queued;
		long sent = Math.max(0, received - this.receivedBefore);
		this.queuedBefore = queued;
		this.receivedBefore = received;
		this.balance += more - sent;
		long surplus = Math.max(0, Math.min(this.balance, this.balanceBefore));
		this.balance -= surplus;
		if (this.balance < 0 && sent == 0) {
			this.balance = 0; // Events were merged in the queue.
		}
		this.balanceBefore = this.balance;
		return surplus;
	}

}
