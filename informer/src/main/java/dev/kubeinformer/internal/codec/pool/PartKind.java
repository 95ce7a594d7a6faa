package dev.kubeinformer.internal.codec.pool;

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

	private static final int SHORTEST_PAUSE = 256;

	private static final int LONGEST_PAUSE = 8192;

	private final Object decoder;

	private final int shape;

	private final int hash;

	private int asked;

	private int found;

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

	boolean isWorth() {
		if (this.paused > 0) {
			this.paused--;
			return false;
		}
		if (this.asked == TRIAL) {
			boolean rare = this.found * RARE < this.asked;
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

	void found() {
		this.found++;
	}

}
