package dev.kubeinformer.benchmark.compare.client;

import java.util.Arrays;

/**
 * Latencies of events, in nanoseconds. Written by one thread, and read after it has ended
 * or stopped recording.
 */
final class Latencies {

	private long[] values = new long[1 << 16];

	private int count;

	synchronized void add(long nanos) {
		if (this.count == this.values.length) {
			this.values = Arrays.copyOf(this.values, this.count * 2);
		}
		this.values[this.count++] = nanos;
	}

	synchronized int count() {
		return this.count;
	}

	/**
	 * Returns the latency that a share of the events does not exceed.
	 * @param share the share, up to 1
	 * @return the latency in milliseconds; 0 without events
	 */
	synchronized double quantile(double share) {
		if (this.count == 0) {
			return 0;
		}
		long[] sorted = Arrays.copyOf(this.values, this.count);
		Arrays.sort(sorted);
		int rank = (int) Math.ceil(share * this.count) - 1;
		return sorted[Math.max(rank, 0)] / 1e6;
	}

}
