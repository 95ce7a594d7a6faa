package dev.kubeinformer.dispatch;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * Whether one handler has finished the initial state: the store holds its first full
 * state, and every event of it was handled.
 */
final class HandlerSync {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition synced = this.lock.newCondition();

	private final Runnable onSynced;

	private int outstanding;

	private boolean complete;

	private @Nullable Instant syncedAt;

	private boolean everSynced;

	private boolean cancelled;

	/**
	 * Creates a sync of nothing.
	 * @param onSynced called under locks when everything was handled
	 */
	HandlerSync(Runnable onSynced) {
		this.onSynced = onSynced;
	}

	void eventQueued() {
		this.lock.lock();
		try {
			this.outstanding++;
		}
		finally {
			this.lock.unlock();
		}
	}

	void eventsFinished(int count) {
		if (count > 0) {
			this.lock.lock();
			try {
				this.outstanding -= count;
				check();
			}
			finally {
				this.lock.unlock();
			}
		}
	}

	void stateComplete() {
		this.lock.lock();
		try {
			this.complete = true;
			check();
		}
		finally {
			this.lock.unlock();
		}
	}

	void reset() {
		this.lock.lock();
		try {
			this.complete = false;
			this.syncedAt = null;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Nobody needs to wait any more: the handler is gone.
	 */
	void cancel() {
		this.lock.lock();
		try {
			this.cancelled = true;
			this.synced.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void check() {
		if (this.complete && this.outstanding == 0 && this.syncedAt == null) {
			this.syncedAt = Instant.now();
			this.everSynced = true;
			this.synced.signalAll();
			this.onSynced.run();
		}
	}

	@Nullable Instant syncedAt() {
		this.lock.lock();
		try {
			return this.syncedAt;
		}
		finally {
			this.lock.unlock();
		}
	}

	boolean everSynced() {
		this.lock.lock();
		try {
			return this.everSynced;
		}
		finally {
			this.lock.unlock();
		}
	}

	int outstanding() {
		this.lock.lock();
		try {
			return this.outstanding;
		}
		finally {
			this.lock.unlock();
		}
	}

	boolean await(Duration timeout) throws InterruptedException {
		long nanos = timeout.toNanos();
		this.lock.lock();
		try {
			while (this.syncedAt == null) {
				if (nanos <= 0 || this.cancelled) {
					return false;
				}
				nanos = this.synced.awaitNanos(nanos);
			}
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

}
