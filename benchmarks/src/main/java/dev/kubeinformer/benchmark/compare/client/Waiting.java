package dev.kubeinformer.benchmark.compare.client;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits. The parent process ends this JVM if that takes too long. */
final class Waiting {

	private static final Duration PAUSE = Duration.ofMillis(1);

	private static final Duration QUIET = Duration.ofMillis(500);

	/** Time without a delivery after which none is expected any more. */
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
	 * @param changes the deliveries
	 */
	static void quiet(Changes changes) {
		long delivered = -1;
		while (delivered != changes.updates()) {
			delivered = changes.updates();
			pass(QUIET);
		}
	}

	/**
	 * Waits until the last change was delivered, or nothing is delivered any more.
	 * @param control the server, which sends no more changes
	 * @param changes the deliveries
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
