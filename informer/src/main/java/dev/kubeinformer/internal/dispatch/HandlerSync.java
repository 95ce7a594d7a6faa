package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.handler.HandlerStatus;
import dev.kubeinformer.internal.text.Durations;

/**
 * Sync of one handler: it is reached when the store holds its first full state and every
 * event of it was handled.
 */
final class HandlerSync {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition synced = this.lock.newCondition();

	private final Runnable onSynced;

	// The fields below are guarded by the lock.

	/** Number of events of the initial state that are not finished. */
	private int outstanding;

	/** Whether the store has given its whole first state. */
	private boolean complete;

	private @Nullable Instant syncedAt;

	private boolean everSynced;

	private boolean cancelled;

	/** Whether the handler is being stopped, so that no wait for the sync can begin. */
	private boolean stopping;

	/** Number of stops, by which waits notice one that is over. */
	private int stops;

	/**
	 * Creates a sync without events.
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

	/**
	 * Takes back the last {@link #eventQueued()}.
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
	 * Takes events as finished. Where it fails, such as for want of memory, it has done
	 * nothing and can be called again.
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
	 * Allows waits: the handler runs.
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
	 * Ends all waits, also those that begin before the stop of the handler is over.
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
	 * Ends all waits for good: the handler is gone.
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
