package dev.kubeinformer;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import dev.kubeinformer.store.Delta;
import dev.kubeinformer.store.DeltaSink;
import dev.kubeinformer.store.StoredObject;

/**
 * Waits for the first full state of the store.
 */
final class SyncLatch {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private boolean synced;

	<T> DeltaSink<T> sink() {
		return new DeltaSink<>() {

			@Override
			public void delta(Delta<T> delta) {
				// Only the whole matters here.
			}

			@Override
			public void resync(StoredObject<T> object) {
				// Only the whole matters here.
			}

			@Override
			public void initialStateComplete() {
				set(true);
			}

			@Override
			public void initialStateReset() {
				set(false);
			}

		};
	}

	private void set(boolean value) {
		this.lock.lock();
		try {
			this.synced = value;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	boolean await(Duration timeout) throws InterruptedException {
		long nanos = timeout.toNanos();
		this.lock.lock();
		try {
			while (!this.synced) {
				if (nanos <= 0) {
					return false;
				}
				nanos = this.changed.awaitNanos(nanos);
			}
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

}
