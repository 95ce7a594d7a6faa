package dev.kubeinformer.internal.codec.pool;

import java.util.HashSet;
import java.util.Set;

/**
 * Memory budget of all pools of an application, in estimated bytes. Each reader has a
 * share, which reserves free memory. An even share is the budget divided by one more than
 * the number of readers. The last eighth of the budget is reserved for readers that hold
 * less than an even share. If this eighth is used up, too, readers that hold more than an
 * even share release memory when they next read.
 * <p>
 * A pool reserves memory only when it grows, so the lock is acquired a few times for each
 * share and not for each object. Thread-safe.
 */
public final class PoolBudget {

	/** Default budget of an application in bytes. */
	public static final long DEFAULT_BYTES = 16L << 20;

	/**
	 * Divisor of the budget. The result is the part that is reserved for readers that
	 * hold less than an even share of the budget.
	 */
	private static final int PARTS = 8;

	private final long bytes;

	/** Shares that are not closed. Guarded by this. */
	private final Set<Share> shares = new HashSet<>();

	/** Number of reserved bytes. Guarded by this. */
	private long reserved;

	/**
	 * Creates an unused budget.
	 * @param bytes the number of bytes
	 * @throws IllegalArgumentException if the number is negative
	 */
	public PoolBudget(long bytes) {
		if (bytes < 0) {
			throw new IllegalArgumentException("Invalid budget of pools '%d': use zero or more bytes".formatted(bytes));
		}
		this.bytes = bytes;
	}

	/**
	 * Returns a share without a limit, for a temporary reader. Only the maximum sizes of
	 * its pools limit its memory.
	 * @return the share
	 */
	public static Share unbounded() {
		return new PoolBudget(Long.MAX_VALUE).share();
	}

	/**
	 * Opens an empty share.
	 * @return the share, to be closed by the caller
	 */
	public synchronized Share share() {
		Share share = new Share();
		this.shares.add(share);
		return share;
	}

	/**
	 * Returns the size of the budget.
	 * @return the number of bytes
	 */
	public long bytes() {
		return this.bytes;
	}

	/**
	 * Returns the number of bytes that all shares have reserved.
	 * @return the number of bytes
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

	// Count one more share than there are, because another reader may start.
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
			this.shares.forEach((each) -> each.excessive = each.excessive && each.held > even());
		}
	}

	/**
	 * Part of the budget that the pools of one reader have reserved. Only the thread of
	 * that reader uses it; any thread may close it.
	 */
	public final class Share implements AutoCloseable {

		/** Number of bytes of this share. Guarded by the budget. */
		private long held;

		private volatile boolean excessive;

		private Share() {
		}

		/**
		 * Reserves more bytes.
		 * @param more the number of bytes
		 * @return {@code true} if the bytes were free and the share is open
		 */
		boolean reserve(long more) {
			return PoolBudget.this.reserve(this, more);
		}

		/**
		 * Releases bytes.
		 * @param less the number of bytes
		 */
		void release(long less) {
			PoolBudget.this.release(this, less);
		}

		/**
		 * Returns whether this share must release memory: it holds more than an even
		 * share of the budget, and a smaller share needs memory.
		 * @return {@code true} if this share must release memory
		 */
		boolean isExcessive() {
			return this.excessive;
		}

		/**
		 * Returns the number of reserved bytes.
		 * @return the number of bytes
		 */
		public long held() {
			synchronized (PoolBudget.this) {
				return this.held;
			}
		}

		/**
		 * Releases all bytes. The pools of this share must be discarded; they cannot
		 * reserve more.
		 */
		@Override
		public void close() {
			PoolBudget.this.close(this);
		}

	}

}
