package dev.kubeinformer.internal.workqueue;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Signals that a reconciler may have become idle. While no thread waits, a signal costs
 * one volatile read. Safe for use by several threads, which may hold any lock.
 */
public final class IdleCondition {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	/**
	 * Number of waiting threads; changed under the lock, read without it.
	 */
	private volatile int waiting;

	/** Number of changes while a thread waited. */
	private long changes;

	/**
	 * Wakes the waiting threads because something has ended that kept the reconciler
	 * busy, for example a run. The caller makes the end visible to other threads before
	 * this call.
	 */
	public void changed() {
		// A thread that begins to wait later checks its condition first.
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
	 * Waits until a condition holds. The condition is evaluated without a lock: at first,
	 * and once after each change.
	 * @param condition the condition
	 * @param left returns the remaining time to wait, in nanoseconds
	 * @return {@code true} if the condition held in time
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
