package dev.kubeinformer.internal.workqueue;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Signal that something which keeps a reconciler from being idle may have ended. It costs
 * a read while nobody waits. Safe for use by several threads, under any lock.
 */
public final class IdleCondition {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	/** Changed under the lock, and read without it. */
	private volatile int waiting;

	/** How many changes there were while somebody waited. */
	private long changes;

	/**
	 * Notes that something has ended. What has ended is visible to others before.
	 */
	public void changed() {
		// Who comes later sees it by himself.
		if (this.waiting > 0) {
			this.lock.lock();
			try {
				this.changes++;
				this.changed.signalAll();
			}
			finally {
				this.lock.unlock();
			}
		}
	}

	/**
	 * Waits until a condition holds. It is asked for at first and after each change, not
	 * in between, under no lock.
	 * @param condition the condition
	 * @param left how long to wait at most from now on, in nanoseconds
	 * @return whether it holds
	 * @throws InterruptedException if the thread is interrupted
	 */
	public boolean await(BooleanSupplier condition, LongSupplier left) throws InterruptedException {
		count(1);
		try {
			long seen = seen();
			while (!condition.getAsBoolean()) {
				long nanos = left.getAsLong();
				if (nanos <= 0) {
					return false;
				}
				seen = awaitChange(seen, nanos);
			}
			return true;
		}
		finally {
			count(-1);
		}
	}

	private void count(int more) {
		this.lock.lock();
		try {
			this.waiting += more;
		}
		finally {
			this.lock.unlock();
		}
	}

	private long seen() {
		this.lock.lock();
		try {
			return this.changes;
		}
		finally {
			this.lock.unlock();
		}
	}

	private long awaitChange(long seen, long nanos) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			long left = nanos;
			while (this.changes == seen && left > 0) {
				left = this.changed.awaitNanos(left);
			}
			return this.changes;
		}
		finally {
			this.lock.unlock();
		}
	}

}
