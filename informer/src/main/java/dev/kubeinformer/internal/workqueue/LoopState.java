package dev.kubeinformer.internal.workqueue;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * What the threads of a loop share: its queue, and what waits for it. No code from
 * outside is called under its lock.
 */
final class LoopState {

	/** Guards all that is in here. Taken under the lock of a store, never the reverse. */
	final ReentrantLock lock = new ReentrantLock();

	/** Signalled when a run has ended. */
	final Condition progress = this.lock.newCondition();

	/** For those who wait for more than this loop. */
	final IdleSignal idle = new IdleSignal();

	KeyQueue queue;

	final ActiveRuns active;

	final LoopTotals totals = new LoopTotals();

	/** Signalled when there is something to do for a worker that waits. */
	private final Condition work = this.lock.newCondition();

	private final KeyDelays delays;

	private final LongSupplier nanoTime;

	private final long origin;

	/** The workers that take keys; {@code null} while the loop is stopped. */
	@Nullable WorkerGroup group;

	/** Whether the API server is away for all informers. */
	volatile BooleanSupplier serverAway = () -> false;

	/** Whether keys are taken. */
	boolean open;

	/** Whether the queue takes keys. */
	boolean fed = true;

	LoopState(LoopOptions options) {
		this.delays = new KeyDelays(options.minInterval(), options.ownWritesTimeout(), options.retry(),
				options.random());
		this.queue = new KeyQueue(this.delays);
		this.active = new ActiveRuns(options.timeout(), options.timer());
		this.nanoTime = options.nanoTime();
		this.origin = this.nanoTime.getAsLong();
	}

	/**
	 * Returns the time since the loop was made.
	 * @return the time in nanoseconds
	 */
	long now() {
		return this.nanoTime.getAsLong() - this.origin;
	}

	/**
	 * Forgets all keys, other than that some run: these are not handed out before their
	 * runs have ended.
	 */
	void forgetKeys() {
		KeyQueue next = new KeyQueue(this.delays);
		this.active.matching((run) -> true).forEach((run) -> next.occupy(run.key()));
		this.queue = next;
		signalIdle();
	}

	/**
	 * Signals that no key may be busy any more: not at the end of each run.
	 */
	void signalIdle() {
		if (this.active.size() == 0 && !this.queue.keys().hasReady() && this.queue.keys().parked() == 0) {
			this.idle.changed();
		}
	}

	/**
	 * Wakes a worker if there is something to do that none is about to do.
	 */
	void wake() {
		if (this.group != null && this.open && this.group.idle > 0) {
			PendingKeys keys = this.queue.keys();
			if (keys.hasReady() || keys.nextDeadline() < this.group.awaitedDeadline) {
				this.work.signal();
			}
		}
	}

	/**
	 * Wakes all workers: whether they are wanted has changed.
	 */
	void wakeAll() {
		this.work.signalAll();
	}

	/**
	 * Waits until there may be something to do for a worker. One worker of those that
	 * wait does so until the next deadline, which needs no timer then.
	 * @param waiting the workers it is one of
	 */
	void awaitWork(WorkerGroup waiting) {
		long deadline = this.open ? this.queue.keys().nextDeadline() : KeyQueue.NEVER;
		waiting.idle++;
		try {
			if (deadline >= waiting.awaitedDeadline) {
				this.work.awaitUninterruptibly();
			}
			else {
				awaitDeadline(waiting, deadline);
			}
		}
		finally {
			waiting.idle--;
		}
	}

	private void awaitDeadline(WorkerGroup waiting, long deadline) {
		waiting.awaitedDeadline = deadline;
		try {
			this.work.awaitNanos(deadline - now());
		}
		catch (InterruptedException ex) {
			// Not meant for a worker that waits: whether it is wanted is checked next.
		}
		finally {
			if (waiting.awaitedDeadline == deadline) {
				waiting.awaitedDeadline = KeyQueue.NEVER;
			}
		}
	}

	/**
	 * Waits until another run has ended.
	 * @param nanos how long to wait at most
	 * @return what is left of that time
	 */
	long awaitProgress(long nanos) throws InterruptedException {
		return this.progress.awaitNanos(nanos);
	}

	/**
	 * Returns how long something has lasted.
	 * @param since when it began; {@link KeyQueue#NEVER} if it did not
	 * @return the time in nanoseconds
	 */
	long age(long since) {
		return (since != KeyQueue.NEVER) ? Math.max(0, now() - since) : 0;
	}

}
