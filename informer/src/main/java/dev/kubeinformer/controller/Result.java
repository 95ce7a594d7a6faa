package dev.kubeinformer.controller;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Result of a run that did not fail: whether the object is to be reconciled again
 * although nothing changes. A run fails by an exception, and is then tried again.
 */
public final class Result {

	private static final Result DONE = new Result(null);

	private final @Nullable Duration requeueAfter;

	private Result(@Nullable Duration requeueAfter) {
		this.requeueAfter = requeueAfter;
	}

	/**
	 * Returns the result of a run after which nothing is left to do before something
	 * changes.
	 * @return the result
	 */
	public static Result done() {
		return DONE;
	}

	/**
	 * Returns the result of a run that is to be followed by another one after a time, or
	 * earlier if something changes. The other run comes after 10 milliseconds at the
	 * earliest.
	 * @param delay the time, which is positive
	 * @return the result
	 * @throws IllegalArgumentException if the time is not positive
	 */
	public static Result requeueAfter(Duration delay) {
		if (delay.isNegative() || delay.isZero()) {
			throw new IllegalArgumentException(
					"Requeue delay '%s' must be positive; a run that failed is retried by throwing an exception"
						.formatted(delay));
		}
		return new Result(delay);
	}

	/**
	 * Returns after which time the object is to be reconciled again.
	 * @return the time; {@code null} if only a change leads to another run
	 */
	public @Nullable Duration requeueAfter() {
		return this.requeueAfter;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof Result result && Objects.equals(this.requeueAfter, result.requeueAfter);
	}

	@Override
	public int hashCode() {
		return Objects.hashCode(this.requeueAfter);
	}

	@Override
	public String toString() {
		return (this.requeueAfter != null) ? "requeue after " + this.requeueAfter : "done";
	}

}
