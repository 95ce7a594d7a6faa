package dev.kubeinformer.handler;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * {@link RetryBackoff} that allows no further attempt after some exceptions.
 *
 * @param backoff the backoff for all other exceptions
 * @param excluded the classes of the exceptions without another attempt
 */
public record SelectiveBackoff(RetryBackoff backoff,
		List<Class<? extends Throwable>> excluded) implements RetryBackoff {

	/** Longest chain of causes to search; exceptions can be causes of each other. */
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
	 * @return the class that the exception or one of its causes is an instance of;
	 * {@code null} if none matches
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
