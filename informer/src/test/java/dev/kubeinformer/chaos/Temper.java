package dev.kubeinformer.chaos;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Behaviour of a handler for each event. */
@FunctionalInterface
interface Temper {

	/**
	 * Spends the time of one event, or fails.
	 * @throws Exception as handlers may
	 */
	void act() throws Exception;

	static Temper fast() {
		return () -> {
		};
	}

	static Temper slow(Duration each) {
		return () -> TimeUnit.NANOSECONDS.sleep(each.toNanos());
	}

	static Temper throwing(Random random, double share) {
		return () -> {
			if (random.nextDouble() < share) {
				throw new IllegalStateException("At random");
			}
		};
	}

	/**
	 * Stands still at one of several events, at most for a while.
	 * @param brake holds it
	 * @param random says at which
	 * @param oneOf at one of how many
	 * @param atMost how long
	 * @return the temper
	 */
	static Temper blocking(Brake brake, Random random, int oneOf, Duration atMost) {
		return () -> {
			if (random.nextInt(oneOf) == 0) {
				brake.hold(atMost);
			}
		};
	}

	/** Brake at which handlers stop, except while the cluster rests. */
	final class Brake {

		private boolean released;

		synchronized void release() {
			this.released = true;
			notifyAll();
		}

		synchronized void apply() {
			this.released = false;
		}

		private synchronized void hold(Duration atMost) throws InterruptedException {
			long end = System.nanoTime() + atMost.toNanos();
			long left;
			while (!this.released && (left = end - System.nanoTime()) > 0) {
				TimeUnit.NANOSECONDS.timedWait(this, left);
			}
		}

	}

}
