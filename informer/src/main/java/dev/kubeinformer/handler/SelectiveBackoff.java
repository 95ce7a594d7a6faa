package dev.kubeinformer.handler;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A {@link RetryBackoff} that makes no further attempt after some exceptions.
 *
 * @param backoff what decides about all others
 * @param excluded the classes of those exceptions
 */
public record SelectiveBackoff(RetryBackoff backoff,
		List<Class<? extends Throwable>> excluded) implements RetryBackoff {

	/** Exceptions may be causes of each other. */
	private static final int MOST_CAUSES = 100;

	SelectiveBackoff(RetryBackoff backoff, Collection<Class<? extends Throwable>> excluded) {
		this(backoff, List.copyOf(excluded));
	}

	@Override
	public @Nullable Duration delay(int failures, Throwable cause) {
		return (exclusion(cause) != null) ? null : this.backoff.delay(failures, cause);
	}

	/**
	 * Finds the class that excludes an exception.
	 * @param failure the exception
	 * @return the class that it or one of its causes is of; {@code null} if none
	 */
	public @Nullable Class<? extends Throwable> exclusion(Throwable failure) {
		Throwable cause = failure;
		for (int i = 0; i < MOST_CAUSES && cause != null; i++) {
			for (Class<? extends Throwable> type : this.excluded) {
				if (type.isInstance(cause)) {
					return type;
				}
			}
			cause = cause.getCause();
		}
		return null;
	}

}
