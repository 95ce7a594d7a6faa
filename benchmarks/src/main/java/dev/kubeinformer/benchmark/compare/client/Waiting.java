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

	/** After so long without any delivery nothing is expected any more. */
	private static final Duration STALL = Duration.ofSeconds(20);

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
	 * Waits until the last change was delivered, or nothing comes any more.
	 * @param control the server, which makes no more changes
	 * @param changes what is delivered
	 */
	static void settled(Control control, Changes changes) {
		long last = -1;
		while (last != control.last()) {
			last = control.last();
			long wanted = last;
			long delivered = -1;
			while (changes.latest().due() < wanted && delivered != changes.updates()) {
				delivered = changes.updates();
				long end = System.nanoTime() + STALL.toNanos();
				until(() -> changes.latest().due() >= wanted || System.nanoTime() - end >= 0);
			}
			quiet(changes);
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
