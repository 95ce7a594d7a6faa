package dev.kubeinformer.controller;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Result of a successful run. It says whether to reconcile the object again even if
 * nothing changes. A run that throws an exception fails and is retried.
 */
public final class Result {

	private static final Result DONE = new Result(null);

	private final @Nullable Duration requeueAfter;

	private Result(@Nullable Duration requeueAfter) {
		this.requeueAfter = requeueAfter;
	}

	/**
	 * Returns the result of a run that has nothing left to do until something changes.
	 * @return the result
	 */
	public static Result done() {
		return DONE;
	}

	/**
	 * Returns the result of a run that asks for another run. The next run comes after the
	 * given time, or after 10 milliseconds if that is longer. A change causes a run
	 * earlier.
	 * @param delay the time, which must be positive
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
	 * Returns the time after which the object should be reconciled again.
	 * @return the time; {@code null} if only a change causes another run
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
