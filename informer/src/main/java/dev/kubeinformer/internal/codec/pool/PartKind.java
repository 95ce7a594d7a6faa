package dev.kubeinformer.internal.codec.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Parts of objects that are decoded by one decoder into one shape, and how often they
 * repeat.
 */
public final class PartKind {

	/** Shape of a part that is one value. */
	public static final int SINGLE = 0;

	/** Shape of a part that is a list of values. */
	public static final int LIST = 1;

	/** Shape of a part that is a map of values. */
	public static final int MAP = 2;

	/** How many are looked for before it is decided whether more are. */
	private static final int TRIAL = 32;

	/** Found less often than one in so many, they are left alone for a while. */
	private static final int RARE = 8;

	/** How many are looked for where a sample says that they repeat far apart. */
	private static final int LONG_TRIAL = 8192;

	/** Of a trial of the sample, so many are found again where all repeat. */
	private static final int REPEATING = TRIAL / RARE;

	/** The sample is one in a power of two. */
	private static final int SAMPLE_BITS = 4;

	private static final int SAMPLED_WORDS = 4;

	private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	private static final int SHORTEST_PAUSE = 256;

	private static final int LONGEST_PAUSE = 8192;

	private final Object decoder;

	private final int shape;

	private final int hash;

	private int trial = TRIAL;

	private int asked;

	private int found;

	private int sampled;

	private int sampledFound;

	/** Whether the sample is looked for in a pause. */
	private boolean sampling = true;

	private int pause = SHORTEST_PAUSE;

	private int paused;

	PartKind(Object decoder, int shape) {
		this.decoder = decoder;
		this.shape = shape;
		this.hash = (System.identityHashCode(decoder) + shape) * 0x85EBCA6B;
	}

	boolean is(Object decoder, int shape) {
		return this.decoder == decoder && this.shape == shape;
	}

	Object decoder() {
		return this.decoder;
	}

	int shape() {
		return this.shape;
	}

	int hash() {
		return this.hash;
	}

	/**
	 * Returns whether it is worth to look for a part. A trial of a few finds what repeats
	 * close by. What repeats far apart, as what the pods of one application have in
	 * common in lists that are ordered by namespace, is found by a sample: the same parts
	 * are in it each time that they come, whatever lies between.
	 * @param bytes the array with its bytes
	 * @param from index of the first one
	 * @param length how many there are
	 * @return whether it is
	 */
	boolean isWorth(byte[] bytes, int from, int length) {
		if (this.paused > 0) {
			this.paused--;
			return this.sampling && isSampled(bytes, from, length);
		}
		if (this.asked == this.trial) {
			boolean rare = this.found * RARE < this.asked;
			// The sample was wrong if a long trial has shown nothing.
			this.sampling = !rare || this.trial == TRIAL;
			this.trial = TRIAL;
			this.asked = 0;
			this.found = 0;
			if (rare) {
				this.paused = this.pause;
				this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
				return false;
			}
			this.pause = SHORTEST_PAUSE;
		}
		this.asked++;
		return true;
	}

	// All bytes would tell more, and cost more than most that is found.
	private boolean isSampled(byte[] bytes, int from, int length) {
		if (length < Long.BYTES) {
			return false;
		}
		long sum = length;
		for (int i = 0; i <= SAMPLED_WORDS; i++) {
			long word = (long) WORDS.get(bytes, from + (length - Long.BYTES) * i / SAMPLED_WORDS);
			sum = (sum ^ word) * 0x9E3779B97F4A7C15L;
			sum ^= sum >>> Integer.SIZE;
		}
		if (sum >>> Long.SIZE - SAMPLE_BITS != 0) {
			return false;
		}
		if (this.sampled == TRIAL) {
			this.sampled = 0;
			this.sampledFound = 0;
		}
		this.sampled++;
		return true;
	}

	void found() {
		if (this.paused == 0) {
			this.found++;
		}
		else if (++this.sampledFound == REPEATING) {
			this.sampled = 0;
			this.sampledFound = 0;
			this.paused = 0;
			this.asked = 0;
			this.found = 0;
			this.trial = LONG_TRIAL;
		}
	}

}
