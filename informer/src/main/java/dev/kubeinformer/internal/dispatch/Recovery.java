package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recovery of a thread from failures outside of handlers, such as for want of memory.
 * Safe for use by several threads.
 */
final class Recovery {

	private static final Logger logger = LoggerFactory.getLogger(HandlerDispatcher.class);

	/** How long a thread waits before it goes on. */
	static final Duration PAUSE = Duration.ofMillis(100);

	/** What was logged with its stack trace last. */
	private volatile @Nullable Class<?> logged;

	/**
	 * Does something until it succeeds.
	 * @param work what to do; where it fails it leaves things so that it can be done
	 * again
	 * @param wanted whether it still is to be done after a failure
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
	 * Reports a failure and waits a moment, so that a failure that stays does not keep a
	 * processor busy.
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
	 * Reports a failure: with its stack trace, unless the one before was of the same
	 * class.
	 * @param failure the failure
	 */
	void report(Throwable failure) {
		try {
			Throwable trace = failure.getClass().equals(this.logged) ? null : failure;
			this.logged = failure.getClass();
			logger.atError()
				.setCause(trace)
				.log("Unexpected {} in the bookkeeping of '{}'; it goes on", failure.getClass().getName(),
						Thread.currentThread().getName());
		}
		catch (Throwable ex) {
			// No memory even for a line of the log: what is to go on matters more.
			this.logged = null;
		}
	}

}
