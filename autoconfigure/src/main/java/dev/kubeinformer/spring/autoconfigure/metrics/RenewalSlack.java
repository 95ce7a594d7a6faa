package dev.kubeinformer.spring.autoconfigure.metrics;

import java.time.Duration;
import java.util.Deque;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.LongSupplier;

/**
 * The least that was left of a term at a renewal, of those of late.
 */
final class RenewalSlack {

	private static final double NANOS = 1e9;

	private final long window;

	private final LongSupplier nanoTime;

	private final Deque<Renewal> renewals = new ConcurrentLinkedDeque<>();

	/**
	 * Creates the record of renewals.
	 * @param window how long a renewal is remembered
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
	 * Forgets all: the term is over.
	 */
	void clear() {
		this.renewals.clear();
	}

	/**
	 * Returns the least of late, in seconds.
	 * @return the least; empty if there was no renewal
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
