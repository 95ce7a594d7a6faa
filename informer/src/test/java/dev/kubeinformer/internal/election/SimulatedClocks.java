package dev.kubeinformer.internal.election;

import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Clocks of a process in the simulator: their rates differ a little, and one of them is
 * bad. Either the wall clock is set now and then, or the monotonic clock stands still
 * while the machine sleeps.
 */
final class SimulatedClocks {

	private static final double DRIFT = 0.01;

	private final boolean sleeping;

	private final double monotonicRate;

	private final double wallRate;

	private long stoodStill;

	private long offset;

	SimulatedClocks(Random random) {
		this.sleeping = random.nextBoolean();
		this.monotonicRate = rate(random);
		this.wallRate = rate(random);
		this.offset = random.nextInt(7_200_000) - 3_600_000;
	}

	private static double rate(Random random) {
		return 1 + DRIFT * (2 * random.nextDouble() - 1);
	}

	ClockReading at(long nanos) {
		long monotonic = (long) ((nanos - this.stoodStill) * this.monotonicRate);
		long wall = 1_800_000_000_000L + TimeUnit.NANOSECONDS.toMillis((long) (nanos * this.wallRate)) + this.offset;
		return new ClockReading(monotonic, wall);
	}

	/**
	 * The machine sleeps, or the process is suspended.
	 * @param nanos for how long
	 */
	void pause(long nanos) {
		if (this.sleeping) {
			this.stoodStill += nanos;
		}
	}

	void set(long millis) {
		if (!this.sleeping) {
			this.offset += millis;
		}
	}

}
