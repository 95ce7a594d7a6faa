package dev.kubeinformer;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.ReconcilerState;

/**
 * State of a reconciler, and those who wait for it. Safe for use by several threads.
 */
final class ReconcilerStates {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Clock clock;

	private final Consumer<ReconcilerState> listener;

	private ReconcilerState state = ReconcilerState.NEW;

	private @Nullable Instant since;

	private boolean running;

	private boolean paused;

	private boolean synced;

	private int stops;

	/**
	 * Creates the state of a reconciler that was never started.
	 * @param clock the clock
	 * @param listener called with each new state, outside of locks
	 */
	ReconcilerStates(Clock clock, Consumer<ReconcilerState> listener) {
		this.clock = clock;
		this.listener = listener;
	}

	void started() {
		change(() -> {
			this.running = true;
			this.paused = false;
			this.synced = false;
		});
	}

	void stopped() {
		change(() -> {
			this.running = false;
			this.synced = false;
			this.stops++;
		});
	}

	void paused(boolean next) {
		change(() -> this.paused = next);
	}

	void synced(boolean next) {
		change(() -> this.synced = next && this.running);
	}

	private void change(Runnable change) {
		ReconcilerState next;
		this.lock.lock();
		try {
			change.run();
			next = combined();
			this.changed.signalAll();
			if (next == this.state) {
				return;
			}
			this.state = next;
			this.since = this.clock.instant();
		}
		finally {
			this.lock.unlock();
		}
		this.listener.accept(next);
	}

	private ReconcilerState combined() {
		if (!this.running) {
			return (this.stops > 0) ? ReconcilerState.STOPPED : ReconcilerState.NEW;
		}
		if (this.paused) {
			return ReconcilerState.PAUSED;
		}
		return this.synced ? ReconcilerState.ACTIVE : ReconcilerState.SYNCING;
	}

	Now now() {
		this.lock.lock();
		try {
			return new Now(this.state, this.since, this.running, this.synced);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Waits until all sources are synced.
	 * @param timeout how long to wait at most
	 * @return whether they are; {@code false} also if the reconciler is stopped meanwhile
	 * @throws InterruptedException if the thread is interrupted
	 */
	boolean awaitSync(Duration timeout) throws InterruptedException {
		long left = TimeUnit.NANOSECONDS.convert(timeout);
		this.lock.lockInterruptibly();
		try {
			int before = this.stops;
			while (!this.synced && this.stops == before && left > 0) {
				left = this.changed.awaitNanos(left);
			}
			return this.synced;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * State at one moment.
	 *
	 * @param state the state
	 * @param since when it was reached; {@code null} if the reconciler was never started
	 * @param running whether the reconciler is started, paused or not
	 * @param synced whether all sources are synced
	 */
	record Now(ReconcilerState state, @Nullable Instant since, boolean running, boolean synced) {

	}

}
