package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a worker continue after a failure outside of the handler, such as an
 * {@code OutOfMemoryError}. Thread-safe.
 */
final class Recovery {

	private static final Logger logger = LoggerFactory.getLogger(HandlerDispatcher.class);

	/** Time that a thread waits after a failure. */
	static final Duration PAUSE = Duration.ofMillis(100);

	/** Class of the last failure that was logged with its stack trace. */
	private volatile @Nullable Class<?> logged;

	/**
	 * Repeats an action until it succeeds.
	 * @param work the action, which may be called again after a failure
	 * @param wanted returns whether to repeat the action after a failure
	 */
	void insist(Runnable work, BooleanSupplier wanted) {
		boolean done = false;
		while (!done) {
			try {
				work.run();
				done = true;
			}
			catch (Throwable ex) {
				failed(ex);
				done = !wanted.getAsBoolean();
			}
		}
	}

	/**
	 * Reports a failure and waits for a moment, so that a permanent failure does not keep
	 * a processor busy.
	 * @param failure the failure
	 */
	void failed(Throwable failure) {
		report(failure);
		boolean interrupted = Thread.interrupted();
		LockSupport.parkNanos(this, PAUSE.toNanos());
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Reports a failure, with its stack trace unless the previous failure had the same
	 * class.
	 * @param failure the failure
	 */
	void report(Throwable failure) {
		try {
			Throwable trace = failure.getClass().equals(this.logged) ? null : failure;
			this.logged = failure.getClass();
			logger.atError()
				.setCause(trace)
				.log("Unexpected {} while thread '{}' processed its queue; continuing", failure.getClass().getName(),
						Thread.currentThread().getName());
		}
		catch (Throwable ex) {
			// There is no memory even for a log line. Continuing is more important.
			this.logged = null;
		}
	}

}
