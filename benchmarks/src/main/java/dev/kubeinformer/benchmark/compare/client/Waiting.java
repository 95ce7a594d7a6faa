package dev.kubeinformer.benchmark.compare.client;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waits. Whoever started this JVM ends it when it takes too long.
 */
final class Waiting {

	private static final Duration PAUSE = Duration.ofMillis(1);

	private static final Duration QUIET = Duration.ofMillis(500);

	private Waiting() {
	}

	static void until(BooleanSupplier condition) {
		while (!condition.getAsBoolean()) {
			LockSupport.parkNanos(PAUSE.toNanos());
		}
	}

	static void pass(Duration time) {
		long end = System.nanoTime() + time.toNanos();
		until(() -> System.nanoTime() - end >= 0);
	}

	/**
	 * Waits until nothing was delivered for a while.
	 * @param changes what is delivered
	 */
	static void quiet(Changes changes) {
		long delivered = -1;
		while (delivered != changes.updates()) {
			delivered = changes.updates();
			pass(QUIET);
		}
	}

	/**
	 * Waits until the client watches.
	 * @param control the server
	 */
	static void ready(Control control) {
		until(control::isWatched);
	}

}
