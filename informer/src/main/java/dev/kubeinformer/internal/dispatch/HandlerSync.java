package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.handler.HandlerStatus;
import dev.kubeinformer.internal.text.Durations;

/**
 * Tracks whether one handler is synced. A handler is synced when the store holds its
 * first full state and the handler has handled every event of that state.
 */
final class HandlerSync {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition synced = this.lock.newCondition();

	private final Runnable onSynced;

	// The fields below are guarded by the lock.

	/** Number of unfinished events of the initial state. */
	private int outstanding;

	/** Whether the store has delivered its complete first state. */
	private boolean complete;

	private @Nullable Instant syncedAt;

	private boolean everSynced;

	private boolean cancelled;

	/**
	 * Whether the handler is being stopped, so that no new wait for the sync can begin.
	 */
	private boolean stopping;

	/**
	 * Number of times that the handler was stopped. A waiting thread compares this
	 * number, so that it also notices a stop that is already over.
	 */
	private int stops;

	/**
	 * Creates a sync without events.
	 * @param onSynced the callback that runs when the handler becomes synced, called
	 * under locks
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

	/**
	 * Reverts the last call of {@link #eventQueued()}, because the event could not be
	 * added to the queue.
	 */
	void eventNotQueued() {
		this.lock.lock();
		try {
			this.outstanding--;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Counts events as finished. If this method fails, for example with an
	 * {@code OutOfMemoryError}, it has no effect and can be called again.
	 * @param count the number of events
	 */
	void eventsFinished(int count) {
		if (count > 0) {
			this.lock.lock();
			try {
				if (this.complete && this.outstanding == count) {
					reached();
				}
				this.outstanding -= count;
			}
			finally {
				this.lock.unlock();
			}
		}
	}

	void stateComplete() {
		this.lock.lock();
		try {
			if (this.outstanding == 0) {
				reached();
			}
			this.complete = true;
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
			this.stopping = false;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Allows waits again because the handler is running.
	 */
	void started() {
		this.lock.lock();
		try {
			this.stopping = false;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Ends all waits, including waits that begin while the handler is being stopped.
	 */
	void stopping() {
		this.lock.lock();
		try {
			this.stopping = true;
			this.stops++;
			this.synced.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Ends all waits permanently because the handler was removed.
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

	private void reached() {
		if (this.syncedAt == null) {
			Instant now = Instant.now();
			this.onSynced.run();
			this.syncedAt = now;
			this.everSynced = true;
			this.synced.signalAll();
		}
	}

	boolean isReached() {
		this.lock.lock();
		try {
			return this.syncedAt != null;
		}
		finally {
			this.lock.unlock();
		}
	}

	HandlerStatus.Sync status() {
		this.lock.lock();
		try {
			return new HandlerStatus.Sync(this.syncedAt != null, this.syncedAt, this.everSynced, this.outstanding);
		}
		finally {
			this.lock.unlock();
		}
	}

	boolean await(Duration timeout) throws InterruptedException {
		long nanos = Durations.nanos(timeout);
		this.lock.lock();
		try {
			int before = this.stops;
			while (this.syncedAt == null) {
				if (nanos <= 0 || this.cancelled || this.stopping || this.stops != before) {
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
