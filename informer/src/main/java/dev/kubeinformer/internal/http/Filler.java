package dev.kubeinformer.internal.http;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import dev.kubeinformer.internal.failure.FloodedWatchException;

/**
 * Counts the bytes and frames of a watch that are not events. A server that sends too
 * many of them, by mistake or on purpose, would keep a CPU core busy, so such a watch is
 * ended. kube-apiserver sends a bookmark a minute and no blank lines.
 */
public final class Filler {

	/** Maximum number of frames in ten seconds; more than any idle server sends. */
	static final int MOST = 10_000;

	/** Maximum number of bytes of blank lines in ten seconds. */
	static final int MOST_BYTES = 1024 * 1024;

	private static final long PERIOD = TimeUnit.SECONDS.toNanos(10);

	private final LongSupplier nanoTime;

	private int count;

	private long bytes;

	/** Time at which the current period of ten seconds began. */
	private long since;

	public Filler(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/** Resets the count, because an event arrived. */
	public void event() {
		this.count = 0;
	}

	public void bookmark() throws FloodedWatchException {
		add(0, "bookmarks");
	}

	public void blankLine(int length) throws FloodedWatchException {
		add(length, "blank lines");
	}

	private void add(int length, String what) throws FloodedWatchException {
		if (this.count == 0) {
			this.since = this.nanoTime.getAsLong();
			this.bytes = 0;
		}
		this.count++;
		this.bytes += length;
		if (this.count > MOST || this.bytes > MOST_BYTES) {
			if (this.nanoTime.getAsLong() - this.since < PERIOD) {
				throw new FloodedWatchException(what);
			}
			this.count = 0;
		}
	}

}
