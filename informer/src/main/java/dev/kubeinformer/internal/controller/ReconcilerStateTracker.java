package dev.kubeinformer.internal.controller;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.ReconcilerState;

/**
 * State of a reconciler, and the threads that wait for it. Safe for use by several
 * threads.
 */
final class ReconcilerStateTracker {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Clock clock;

	private final Consumer<ReconcilerState> listener;

	private ReconcilerState state = ReconcilerState.NEW;

	private @Nullable Instant since;

	private boolean running;

	/**
	 * Whether the reconciler was started without a session, because it follows a
	 * leadership. If so, it counts as synced when its caches are filled; if not, when
	 * runs may begin.
	 */
	private boolean warm;

	/** Current session; {@code null} while stopped, or on a standby. */
	private @Nullable Object life;

	private boolean paused;

	/** Whether all caches are filled. */
	private boolean filled;

	/** Whether runs may begin. */
	private boolean open;

	private int stops;

	/**
	 * Creates the state of a reconciler that was never started.
	 * @param clock the clock
	 * @param listener called with each new state, outside of locks
	 */
	ReconcilerStateTracker(Clock clock, Consumer<ReconcilerState> listener) {
		this.clock = clock;
		this.listener = listener;
	}

	/**
	 * Notes that the reconciler was started.
	 * @param first the session; {@code null} if it begins later, with a term
	 */
	void started(@Nullable Object first) {
		change(() -> {
			this.running = true;
			this.warm = first == null;
			this.life = first;
			this.paused = false;
			this.filled = false;
			this.open = false;
		});
	}

	void stopped() {
		change(() -> {
			this.running = false;
			this.life = null;
			this.filled = false;
			this.open = false;
			this.stops++;
		});
	}

	/**
	 * Notes a change of the session.
	 * @param next the new session; {@code null} if the reconciler is a standby again
	 */
	void leads(@Nullable Object next) {
		change(() -> {
			this.life = next;
			this.open = false;
		});
	}

	void paused(boolean next) {
		change(() -> this.paused = next);
	}

	/**
	 * Notes whether all caches are filled. The reconciler may be a standby.
	 * @param next whether all caches are filled
	 */
	void filled(boolean next) {
		change(() -> this.filled = next && this.running);
	}

	/**
	 * Notes whether runs may begin.
	 * @param of the session; the call is ignored if it is not the current one
	 * @param next whether runs may begin
	 */
	void open(Object of, boolean next) {
		change(() -> {
			if (this.life == of) {
				this.open = next;
			}
		});
	}

	private boolean synced() {
		return this.warm ? this.filled : this.open;
	}

	private boolean ready() {
		return (this.life == null) ? this.filled : this.open;
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
		if (this.life == null) {
			return ReconcilerState.STANDBY;
		}
		if (this.paused) {
			return ReconcilerState.PAUSED;
		}
		return this.open ? ReconcilerState.ACTIVE : ReconcilerState.SYNCING;
	}

	Now now() {
		this.lock.lock();
		try {
			return new Now(this.state, this.since, this.running, synced());
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Waits until all sources are synced.
	 * @param timeout the longest time to wait
	 * @return {@code true} if all are synced; {@code false} also if the reconciler is
	 * stopped meanwhile
	 * @throws InterruptedException if the thread is interrupted
	 */
	boolean awaitSync(Duration timeout) throws InterruptedException {
		return await(this::synced, timeout);
	}

	/**
	 * Waits until runs may begin or, on a standby, until the caches are filled.
	 * @param timeout the longest time to wait
	 * @return {@code true} if the reconciler is ready; {@code false} also if it is
	 * stopped meanwhile
	 * @throws InterruptedException if the thread is interrupted
	 */
	boolean awaitReady(Duration timeout) throws InterruptedException {
		return await(this::ready, timeout);
	}

	private boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
		long left = TimeUnit.NANOSECONDS.convert(timeout);
		this.lock.lockInterruptibly();
		try {
			int before = this.stops;
			while (!condition.getAsBoolean() && this.stops == before && left > 0) {
				left = this.changed.awaitNanos(left);
			}
			return condition.getAsBoolean();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * State at one moment.
	 *
	 * @param state the state
	 * @param since the time since which it has been in that state; {@code null} if the
	 * reconciler was never started
	 * @param running whether the reconciler was started and not stopped since, even if it
	 * is paused or a standby
	 * @param synced whether all sources are synced
	 */
	record Now(ReconcilerState state, @Nullable Instant since, boolean running, boolean synced) {

	}

}
