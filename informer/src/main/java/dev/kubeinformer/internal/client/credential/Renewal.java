package dev.kubeinformer.internal.client.credential;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Computes the time at which a fetched credential is fetched again. Pure functions.
 */
final class Renewal {

	/** Shortest time between the end of one fetch and the start of the next. */
	static final Duration AT_MOST_EVERY = Duration.ofSeconds(5);

	/** Longest pause between two attempts in the background. */
	private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

	private static final Duration LONGEST_MARGIN = Duration.ofMinutes(1);

	private static final int SHARE_OF_LIFE = 10;

	private static final int MOST_DOUBLINGS = 10;

	private Renewal() {
	}

	/**
	 * Returns the time at which a valid credential is renewed. It is before the expiry by
	 * a tenth of the lifetime, but by at most a minute.
	 * @param fetched the time of the fetch
	 * @param expires the expiry time
	 * @return the time
	 */
	static Instant dueAt(Instant fetched, Instant expires) {
		Duration life = Duration.between(fetched, expires);
		if (life.isNegative()) {
			return expires;
		}
		Duration margin = life.dividedBy(SHARE_OF_LIFE);
		return expires.minus((margin.compareTo(LONGEST_MARGIN) < 0) ? margin : LONGEST_MARGIN);
	}

	/**
	 * Returns the pause after an attempt in the background that did not return a new
	 * credential. The pause grows with the number of attempts. But one attempt always
	 * follows at the expiry, because a plugin may return the same credential until then.
	 * @param attempts the number of attempts since the last new credential
	 * @param ended the end of the last attempt
	 * @param expires the expiry time; {@code null} for never
	 * @return the pause after the end of the last attempt
	 */
	static Duration pause(int attempts, Instant ended, @Nullable Instant expires) {
		Duration pause = AT_MOST_EVERY.multipliedBy(1L << Math.max(0, Math.min(attempts - 1, MOST_DOUBLINGS)));
		pause = (pause.compareTo(LONGEST_PAUSE) < 0) ? pause : LONGEST_PAUSE;
		if (expires != null && ended.isBefore(expires) && ended.plus(pause).isAfter(expires)) {
			return Duration.between(ended, expires);
		}
		return pause;
	}

	/**
	 * Returns the earlier of two times.
	 * @param first a time; {@code null} for never
	 * @param second another time; {@code null} for never
	 * @return the earlier time; {@code null} if both are {@code null}
	 */
	static @Nullable Instant earlier(@Nullable Instant first, @Nullable Instant second) {
		if (first == null || second == null) {
			return (first != null) ? first : second;
		}
		return first.isBefore(second) ? first : second;
	}

}
