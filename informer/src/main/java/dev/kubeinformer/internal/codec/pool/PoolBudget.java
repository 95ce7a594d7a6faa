package dev.kubeinformer.internal.codec.pool;

import java.util.HashSet;
import java.util.Set;

/**
 * Bound of the memory of all pools of an application, in estimated bytes. Each reader has
 * a share of it, which takes what is free. The last part of the budget is for those that
 * have less than an even share. If that is taken too, those that have more are asked to
 * give some of it back, and do so when they read the next time.
 * <p>
 * Pools ask for room when they grow, and not for what they find or remember: the lock is
 * held a few times for each share, and not for each object. Thread-safe.
 */
public final class PoolBudget {

	/** How many bytes an application has unless something else is said. */
	public static final long DEFAULT_BYTES = 16L << 20;

	/** One part of so many is not for those that have much already. */
	private static final int PARTS = 8;

	private final long bytes;

	/** Guarded by this. */
	private final Set<Share> shares = new HashSet<>();

	/** Guarded by this. */
	private long reserved;

	/**
	 * Creates a budget of which nothing is taken.
	 * @param bytes how many bytes there are
	 * @throws IllegalArgumentException if the number is negative
	 */
	public PoolBudget(long bytes) {
		if (bytes < 0) {
			throw new IllegalArgumentException("The budget of pools is '%d' bytes; use zero or more".formatted(bytes));
		}
		this.bytes = bytes;
	}

	/**
	 * Returns a share in a budget of its own that is never used up: for a reader that
	 * comes and goes, and whose pools have bounds of their own.
	 * @return the share
	 */
	public static Share unbounded() {
		return new PoolBudget(Long.MAX_VALUE).share();
	}

	/**
	 * Opens a share, of which nothing is taken.
	 * @return the share, to be closed by the caller
	 */
	public synchronized Share share() {
		Share share = new Share();
		this.shares.add(share);
		return share;
	}

	/**
	 * Returns how many bytes there are.
	 * @return the number
	 */
	public long bytes() {
		return this.bytes;
	}

	/**
	 * Returns how many bytes are taken by all shares.
	 * @return the number
	 */
	public synchronized long reserved() {
		return this.reserved;
	}

	private synchronized boolean reserve(Share share, long more) {
		if (!this.shares.contains(share) || share.excessive) {
			return false;
		}
		boolean little = share.held + more <= even();
		long present = little ? this.bytes : this.bytes - this.bytes / PARTS;
		if (more > present - this.reserved) {
			if (little) {
				this.shares.forEach((each) -> each.excessive = each.held > even());
			}
			return false;
		}
		share.held += more;
		this.reserved += more;
		return true;
	}

	// One more may come.
	private long even() {
		return this.bytes / (this.shares.size() + 1);
	}

	private synchronized void release(Share share, long less) {
		if (this.shares.contains(share)) {
			share.held -= less;
			this.reserved -= less;
			share.excessive = share.excessive && share.held > even();
		}
	}

	private synchronized void close(Share share) {
		if (this.shares.remove(share)) {
			this.reserved -= share.held;
			share.held = 0;
			share.excessive = false;
		}
	}

	/**
	 * Part of the budget that the pools of one reader have taken. They use it on one
	 * thread; any thread may close it.
	 */
	public final class Share implements AutoCloseable {

		/** Guarded by the budget. */
		private long held;

		private volatile boolean excessive;

		private Share() {
		}

		/**
		 * Takes more.
		 * @param more how many bytes
		 * @return whether they were free, and the share is not closed
		 */
		boolean reserve(long more) {
			return PoolBudget.this.reserve(this, more);
		}

		/**
		 * Gives some back.
		 * @param less how many bytes
		 */
		void release(long less) {
			PoolBudget.this.release(this, less);
		}

		/**
		 * Returns whether others have less than an even share and need what this one has
		 * beyond that.
		 * @return whether some is to be given back
		 */
		boolean isExcessive() {
			return this.excessive;
		}

		/**
		 * Returns how many bytes were taken.
		 * @return the number
		 */
		public long held() {
			synchronized (PoolBudget.this) {
				return this.held;
			}
		}

		/**
		 * Gives all back. What its pools remember goes with them; they take nothing more.
		 */
		@Override
		public void close() {
			PoolBudget.this.close(this);
		}

	}

}
