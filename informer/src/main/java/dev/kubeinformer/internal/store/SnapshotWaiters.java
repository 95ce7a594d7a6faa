package dev.kubeinformer.internal.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * The threads that wait for a store to be as they want. All methods are called under the
 * store's lock; the waiting itself is outside of it, so that those who wait do not slow
 * the writer.
 *
 * @param <T> the model class
 */
final class SnapshotWaiters<T> {

	private final List<Waiter<T>> waiters = new ArrayList<>();

	private boolean closed;

	/**
	 * Adds one who waits, unless it has nothing to wait for.
	 * @param waiter the one who waits
	 * @param now the content at this moment
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

	void remove(Waiter<T> waiter) {
		this.waiters.remove(waiter);
	}

	void check(StoreSnapshot<T> now) {
		if (!this.waiters.isEmpty()) {
			this.waiters.removeIf((waiter) -> waiter.check(now));
		}
	}

	/**
	 * Wakes those who wait for a partition that is gone.
	 * @param partition the partition
	 */
	void end(String partition) {
		this.waiters.stream()
			.filter((waiter) -> partition.equals(waiter.partition))
			.forEach((waiter) -> waiter.end(false));
		this.waiters.removeIf((waiter) -> partition.equals(waiter.partition));
	}

	/**
	 * Wakes all, and lets nobody wait until {@link #open()}.
	 */
	void close() {
		this.closed = true;
		this.waiters.forEach((waiter) -> waiter.end(false));
		this.waiters.clear();
	}

	boolean isClosed() {
		return this.closed;
	}

	void open() {
		this.closed = false;
	}

	/**
	 * One thread that waits.
	 */
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
