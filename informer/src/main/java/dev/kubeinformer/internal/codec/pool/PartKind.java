package dev.kubeinformer.internal.codec.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Kind of parts, for example lists of containers. Parts are of the same kind if one
 * decoder decodes them and they have the same shape. A part is a value in an object, such
 * as a list, a map or a nested model. This class tracks how often the parts of the kind
 * repeat.
 */
public final class PartKind {

	/** Shape of a part that is a single value. */
	public static final int SINGLE = 0;

	/** Shape of a part that is a list of values. */
	public static final int LIST = 1;

	/** Shape of a part that is a map of values. */
	public static final int MAP = 2;

	/**
	 * Number of lookups in a trial. Lookups pause if too few lookups of a trial are
	 * successful.
	 */
	private static final int TRIAL = 32;

	/**
	 * Maximum number of lookups per successful lookup. Lookups pause if a trial needs
	 * more.
	 */
	private static final int RARE = 8;

	/**
	 * Number of lookups in a long trial. It begins when the sample shows that parts
	 * repeat, but far apart.
	 */
	private static final int LONG_TRIAL = 8192;

	/** Number of successful lookups of sampled parts after which a long trial begins. */
	private static final int REPEATING = TRIAL / RARE;

	/** Number of hash bits that select the sample: 4 bits select one part in 16. */
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

	/** Whether parts of the sample are looked up even during a pause. */
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
	 * Returns whether it is worth looking up a part of an object in the pool: the lookup
	 * must be likely to save more than it costs. A trial of a few lookups shows whether
	 * parts repeat close together. A sample shows whether parts repeat far apart, for
	 * example in a list that is ordered by namespace, if each namespace has pods of the
	 * same applications. The hash of a part decides whether it is in the sample, so the
	 * same parts are in it each time.
	 * @param bytes the array with the bytes of the part
	 * @param from the index of the first byte
	 * @param length the number of bytes
	 * @return {@code true} if the part should be looked up
	 */
	boolean isWorth(byte[] bytes, int from, int length) {
		if (this.paused > 0) {
			this.paused--;
			return this.sampling && isSampled(bytes, from, length);
		}
		if (this.asked == this.trial) {
			boolean rare = this.found * RARE < this.asked;
			// After a long trial without enough successful lookups, ignore the sample.
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

	// Hashing all bytes would be more precise, but would cost more than most lookups
	// save.
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
