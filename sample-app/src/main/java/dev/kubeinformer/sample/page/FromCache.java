package dev.kubeinformer.sample.page;

/**
 * What a queue has got that the API server did not send: the first full state, resyncs,
 * and differences that a list found. An event is counted by two sides that are read one
 * after the other, so a surplus counts when it is still there at the next look.
 */
final class FromCache {

	private long queuedBefore;

	private long receivedBefore;

	private long balance;

	private long balanceBefore;

	/**
	 * Compares both sides.
	 * @param queued the number of events that the queue ever got
	 * @param received the number of events that the API server ever sent
	 * @return the number of events that came from the cache alone, since the last call
	 */
	long look(long queued, long received) {
		// a handler that was started again counts anew
		long more = (queued >= this.queuedBefore) ? queued - this.queuedBefore : queued;
		long sent = Math.max(0, received - this.receivedBefore);
		this.queuedBefore = queued;
		this.receivedBefore = received;
		this.balance += more - sent;
		long surplus = Math.max(0, Math.min(this.balance, this.balanceBefore));
		this.balance -= surplus;
		if (this.balance < 0 && sent == 0) {
			this.balance = 0; // merged in the queue
		}
		this.balanceBefore = this.balance;
		return surplus;
	}

}
