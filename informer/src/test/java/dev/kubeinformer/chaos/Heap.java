package dev.kubeinformer.chaos;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** Heap at each rest. */
final class Heap {

	/** There are as many objects at each rest, but not of the same size. */
	private static final long TOLERANCE = 8L << 20;

	private static final int ENOUGH = 6;

	private final List<Long> samples = new ArrayList<>();

	/**
	 * Measures what can be reached.
	 */
	void measure() {
		System.gc();
		add(ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
	}

	void add(long bytes) {
		this.samples.add(bytes);
	}

	/**
	 * Checks that it was no more in the last third of the rests than in the first, if
	 * there were enough of them.
	 */
	void isFlat() {
		if (this.samples.size() >= ENOUGH) {
			// The first rest was before anything happened.
			int third = (this.samples.size() - 1) / 3;
			long first = mean(this.samples.subList(1, 1 + third));
			long last = mean(this.samples.subList(this.samples.size() - third, this.samples.size()));
			assertThat(last).as("bytes on the heap: %s", this.samples).isLessThan(first + TOLERANCE);
		}
	}

	private static long mean(List<Long> samples) {
		return (long) samples.stream().mapToLong(Long::longValue).average().orElseThrow();
	}

	/**
	 * Returns all measurements in MiB.
	 */
	@Override
	public String toString() {
		return this.samples.stream().map((each) -> each >> 20).toList() + " MiB";
	}

}
