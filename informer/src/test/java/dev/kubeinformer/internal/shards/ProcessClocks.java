package dev.kubeinformer.internal.shards;

import java.util.Random;
import java.util.concurrent.TimeUnit;

import dev.kubeinformer.internal.election.ClockReading;

/**
 * Clocks of a process in the simulator: their rates differ a little, and one of them is
 * bad. Either the wall clock is set now and then, or the monotonic clock stands still
 * while the process is suspended.
 */
final class ProcessClocks {

	private static final double DRIFT = 0.01;

	private final boolean sleeping;

	private final double monotonicRate;

	private final double wallRate;

	private long stoodStill;

	private long offset;

	ProcessClocks(Random random) {
		this.sleeping = random.nextBoolean();
		this.monotonicRate = 1 + DRIFT * (2 * random.nextDouble() - 1);
		this.wallRate = 1 + DRIFT * (2 * random.nextDouble() - 1);
		this.offset = random.nextInt(7_200_000) - 3_600_000;
	}

	ClockReading at(long nanos) {
		long monotonic = (long) ((nanos - this.stoodStill) * this.monotonicRate);
		long wall = 1_800_000_000_000L + TimeUnit.NANOSECONDS.toMillis((long) (nanos * this.wallRate)) + this.offset;
		return new ClockReading(monotonic, wall);
	}

	void suspended(long nanos) {
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
