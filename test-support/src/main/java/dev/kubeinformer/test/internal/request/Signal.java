package dev.kubeinformer.test.internal.request;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Lets a test wait until a condition is met; the condition is checked after every signal.
 */
public final class Signal {

	/**
	 * Sends the signal, so that all waiting tests check their conditions again.
	 */
	public synchronized void give() {
		notifyAll();
	}

	/**
	 * Waits for a condition.
	 * @param condition the condition, checked after every signal
	 * @param timeout the maximum time to wait
	 * @return {@code true} if the condition is met
	 */
	public synchronized boolean await(BooleanSupplier condition, Duration timeout) {
		long end = System.nanoTime() + TimeUnit.NANOSECONDS.convert(timeout);
		while (!condition.getAsBoolean()) {
			long left = end - System.nanoTime();
			if (left <= 0) {
				return false;
			}
			try {
				wait(TimeUnit.NANOSECONDS.toMillis(left - 1) + 1);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new IllegalStateException("Interrupted while waiting", ex);
			}
		}
		return true;
	}

}
