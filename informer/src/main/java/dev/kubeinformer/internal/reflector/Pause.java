package dev.kubeinformer.internal.reflector;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Wait before the next request. Jitter is added to it.
 *
 * @param kind the kind of wait
 * @param failures the number of failures so far, from 1
 * @param atLeast the minimum wait that the server asked for
 */
record Pause(Kind kind, int failures, Duration atLeast) {

	/** The longest wait before a reconnect is the longest backoff divided by this. */
	private static final int RECONNECT_CAP = 3;

	/**
	 * Longest wait that a server may ask for, as a multiple of the longest backoff. A
	 * server may ask for days, for example during maintenance, but its return must be
	 * noticed sooner.
	 */
	private static final int MOST_ASKED = 10;

	static final Pause NONE = new Pause(Kind.NONE, 0, Duration.ZERO);

	static Pause backoff(int failures, Duration atLeast) {
		return new Pause(Kind.BACKOFF, failures, atLeast);
	}

	/**
	 * Returns the wait after no process accepted a connection. Retrying costs the server
	 * nothing, and the return of the server should be noticed soon.
	 * @param failures the number of failures so far, from 1
	 * @return the pause
	 */
	static Pause reconnect(int failures) {
		return new Pause(Kind.RECONNECT, failures, Duration.ZERO);
	}

	/**
	 * Returns the time to wait. The first wait is a random time below the base, so that
	 * clients do not all return to a restarted API server at once. Later waits lie in
	 * {@code [d, 2d)}, where {@code d} doubles up to half of the cap, so that they stay
	 * spread at the cap.
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
