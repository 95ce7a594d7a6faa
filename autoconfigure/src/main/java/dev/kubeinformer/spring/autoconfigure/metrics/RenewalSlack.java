package dev.kubeinformer.spring.autoconfigure.metrics;

import java.time.Duration;
import java.util.Deque;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.LongSupplier;

/**
 * Smallest remaining validity of the leader's term at its recent renewals.
 */
final class RenewalSlack {

	private static final double NANOS = 1e9;

	private final long window;

	private final LongSupplier nanoTime;

	private final Deque<Renewal> renewals = new ConcurrentLinkedDeque<>();

	/**
	 * Creates an empty record of renewals.
	 * @param window the time for which a renewal is remembered
	 * @param nanoTime the clock
	 */
	RenewalSlack(Duration window, LongSupplier nanoTime) {
		this.window = window.toNanos();
		this.nanoTime = nanoTime;
	}

	void renewed(Duration slack) {
		long now = this.nanoTime.getAsLong();
		forget(now);
		this.renewals.addLast(new Renewal(now, slack.toNanos() / NANOS));
	}

	/**
	 * Forgets all renewals because the term is over.
	 */
	void clear() {
		this.renewals.clear();
	}

	/**
	 * Returns the smallest remaining validity at recent renewals, in seconds.
	 * @return the validity; empty if there was no recent renewal
	 */
	OptionalDouble least() {
		forget(this.nanoTime.getAsLong());
		return this.renewals.stream().mapToDouble(Renewal::slack).min();
	}

	private void forget(long now) {
		this.renewals.removeIf((renewal) -> now - renewal.at() > this.window);
	}

	private record Renewal(long at, double slack) {

	}

}
