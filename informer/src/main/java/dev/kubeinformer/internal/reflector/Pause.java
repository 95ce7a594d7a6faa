package dev.kubeinformer.internal.reflector;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Wait before the next request, before jitter.
 *
 * @param kind the kind of wait
 * @param failures the number of failures so far, from 1
 * @param atLeast what the server asked for
 */
record Pause(Kind kind, int failures, Duration atLeast) {

	/** How much shorter the longest wait of a reconnect is. */
	private static final int RECONNECT_CAP = 3;

	/**
	 * How many times the longest wait a server may ask for: one that asks for days, as
	 * for its maintenance, would not be noticed when it is back.
	 */
	private static final int MOST_ASKED = 10;

	static final Pause NONE = new Pause(Kind.NONE, 0, Duration.ZERO);

	static Pause backoff(int failures, Duration atLeast) {
		return new Pause(Kind.BACKOFF, failures, atLeast);
	}

	/**
	 * Returns the wait where no process listens. Asking costs the server nothing, and its
	 * return shall be noticed soon.
	 * @param failures the number of failures so far, from 1
	 * @return the pause
	 */
	static Pause reconnect(int failures) {
		return new Pause(Kind.RECONNECT, failures, Duration.ZERO);
	}

	/**
	 * Returns the time to wait. The first wait is anywhere below the base, so that a
	 * restarted API server is not met by one storm; after that it lies in {@code [d, 2d)}
	 * for a {@code d} that doubles up to half of the cap, so that waits stay spread there
	 * too.
	 * @param timings the base and the cap
	 * @param random the source of jitter
	 * @return the time
	 */
	Duration draw(ReflectorTimings timings, RandomGenerator random) {
		long base = timings.backoffBase().toNanos();
		long cap = timings.backoffCap().toNanos();
		long nanos = switch (this.kind) {
			case NONE -> 0;
			case BACKOFF -> exponential(base, cap, random);
			case RECONNECT -> exponential(base, cap / RECONNECT_CAP, random);
		};
		long asked = Math.min(this.atLeast.toNanos(), cap * MOST_ASKED);
		return Duration.ofNanos((asked > 0) ? Math.max(nanos, asked + random.nextLong(base)) : nanos);
	}

	private long exponential(long base, long cap, RandomGenerator random) {
		if (this.failures <= 1) {
			return random.nextLong(base);
		}
		long from = Math.min(Math.max(1, cap / 2), base << Math.min(this.failures - 2, 20));
		return from + random.nextLong(from);
	}

	enum Kind {

		NONE, BACKOFF, RECONNECT

	}

}
