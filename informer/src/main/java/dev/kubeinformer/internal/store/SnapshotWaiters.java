package dev.kubeinformer.internal.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Threads that wait until a store meets a condition. All methods are called under the
 * store's lock, except the wait itself, because waiting threads must not delay the
 * writer.
 *
 * @param <T> the model class
 */
final class SnapshotWaiters<T> {

	private final List<Waiter<T>> waiters = new ArrayList<>();

	private final ReentrantLock lock;

	private boolean closed;

	SnapshotWaiters(ReentrantLock lock) {
		this.lock = lock;
	}

	/**
	 * Adds a waiter, unless its condition holds already.
	 * @param waiter the waiter
	 * @param now the current content
	 */
	void add(Waiter<T> waiter, StoreSnapshot<T> now) {
		if (!waiter.check(now)) {
			if (this.closed) {
				waiter.end(false);
			}
			else {
				this.waiters.add(waiter);
			}
		}
	}

	/**
	 * Blocks until the condition of a waiter holds. Called without the lock.
	 * @param waiter the waiter, which was added
	 * @param timeout the longest time to wait
	 * @return {@code true} if the condition held
	 * @throws InterruptedException if the thread is interrupted
	 */
	boolean await(Waiter<T> waiter, Duration timeout) throws InterruptedException {
		try {
			return waiter.await(timeout);
		}
		finally {
			this.lock.lock();
			try {
				this.waiters.remove(waiter);
			}
			finally {
				this.lock.unlock();
			}
		}
	}

	void check(StoreSnapshot<T> now) {
		if (!this.waiters.isEmpty()) {
			this.waiters.removeIf((waiter) -> waiter.check(now));
		}
	}

	/**
	 * Ends the waits for a partition that was removed.
	 * @param partition the partition
	 */
	void end(String partition) {
		this.waiters.stream()
			.filter((waiter) -> partition.equals(waiter.partition))
			.forEach((waiter) -> waiter.end(false));
		this.waiters.removeIf((waiter) -> partition.equals(waiter.partition));
	}

	/** Ends all waits, including waits that begin before {@link #open()}. */
	void close() {
		this.closed = true;
		this.waiters.forEach((waiter) -> waiter.end(false));
		this.waiters.clear();
	}

	void open() {
		this.closed = false;
	}

	/** Ends the current waits. */
	void wake() {
		if (!this.closed) {
			close();
			open();
		}
	}

	/** Waiting thread. */
	static final class Waiter<T> {

		private final @Nullable String partition;

		private final Predicate<StoreSnapshot<T>> condition;

		private final CountDownLatch ended = new CountDownLatch(1);

		private volatile boolean reached;

		Waiter(@Nullable String partition, Predicate<StoreSnapshot<T>> condition) {
			this.partition = partition;
			this.condition = condition;
		}

		private boolean check(StoreSnapshot<T> now) {
			boolean met = this.condition.test(now);
			if (met) {
				end(true);
			}
			return met;
		}

		private void end(boolean reached) {
			this.reached = reached;
			this.ended.countDown();
		}

		boolean await(Duration timeout) throws InterruptedException {
			return this.ended.await(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS) && this.reached;
		}

	}

}
