package dev.kubeinformer.internal.workqueue;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.internal.text.PrintableText;
import dev.kubeinformer.internal.transport.Fence;

/**
 * What the threads of a loop share: its queue, its runs and its counters, and what waits
 * for them. No code from outside is called under its lock.
 */
final class LoopState {

	/** Taken under the lock of a store, never the reverse. */
	final ReentrantLock lock = new ReentrantLock();

	/** For those who wait for more than this loop. Has a lock of its own. */
	final IdleCondition idle = new IdleCondition();

	/** Whether the API server is away for all informers. */
	volatile BooleanSupplier serverAway = () -> false;

	// Never changed.

	private final LoopOptions options;

	private final KeyDelays delays;

	private final long timeout;

	private final long origin;

	/** Signalled when there is something to do for a worker that waits. */
	private final Condition work = this.lock.newCondition();

	/** Signalled when a run has ended. */
	private final Condition progress = this.lock.newCondition();

	// Guarded by the lock.

	KeyQueue queue;

	/**
	 * The workers that take keys; {@code null} while the loop is stopped. Read without
	 * the lock, too.
	 */
	volatile @Nullable Group group;

	/** Whether keys are taken. */
	boolean open;

	/** Whether the queue takes keys. */
	boolean fed = true;

	/**
	 * The number of keys that were taken since the loop was made, whatever came of it.
	 */
	long started;

	/** The number of runs that ended since the loop was made. */
	long ended;

	long failed;

	long conflicts;

	long ownWriteTimeouts;

	@Nullable String lastError;

	/**
	 * Runs at this moment, in the order of their start. All may take equally long, so
	 * that one task of the timer is enough for them.
	 */
	private final Set<LoopRun> runs = new LinkedHashSet<>();

	/** Whether a check of the timeouts is scheduled. */
	private boolean scheduled;

	LoopState(LoopOptions options) {
		this.options = options;
		this.delays = new KeyDelays(options.minInterval(), options.ownWritesTimeout(), options.retry(),
				options.random());
		this.timeout = Durations.nanos(options.timeout());
		this.origin = options.nanoTime().getAsLong();
		this.queue = new KeyQueue(this.delays);
	}

	/**
	 * Returns the time since the loop was made.
	 * @return the time in nanoseconds
	 */
	long now() {
		return this.options.nanoTime().getAsLong() - this.origin;
	}

	/**
	 * Returns how long something has lasted.
	 * @param since when it began; {@link KeyQueue#NEVER} if it did not
	 * @return the time in nanoseconds
	 */
	long age(long since) {
		return (since != KeyQueue.NEVER) ? Math.max(0, now() - since) : 0;
	}

	/**
	 * Forgets all keys, other than that some run: these are not handed out before their
	 * runs have ended.
	 */
	void forgetKeys() {
		KeyQueue next = new KeyQueue(this.delays);
		this.runs.forEach((run) -> next.occupy(run.key()));
		this.queue = next;
		signalIdle();
	}

	/**
	 * Notes that a run begins.
	 * @param run the run
	 * @param check to be called when a run may have taken too long
	 */
	void began(LoopRun run, Runnable check) {
		this.runs.add(run);
		if (!this.scheduled) {
			schedule(check, this.timeout);
		}
		this.started++;
		if (run.ownWritesTimedOut()) {
			this.ownWriteTimeouts++;
		}
		// What else is ready, and the next deadline, are another one's now.
		wake();
	}

	private void schedule(Runnable check, long wait) {
		try {
			this.options.timer().schedule(check, wait, TimeUnit.NANOSECONDS);
			this.scheduled = true;
		}
		catch (RejectedExecutionException ex) {
			// The engine is being closed: the loop is about to be stopped.
			this.scheduled = false;
		}
	}

	/**
	 * Returns the runs that take too long, and schedules the next check.
	 * @param check to be called then
	 * @return those that were not cancelled yet
	 */
	List<LoopRun> late(Runnable check) {
		List<LoopRun> late = new ArrayList<>();
		long now = now();
		this.scheduled = false;
		for (LoopRun run : this.runs) {
			long left = run.handOut.takenAt() + this.timeout - now;
			if (left > 0) {
				schedule(check, left);
				break;
			}
			if (!run.timedOut()) {
				late.add(run);
			}
		}
		return late;
	}

	/**
	 * Notes that a run is over, after its key was given back.
	 * @param run the run
	 */
	void left(LoopRun run) {
		this.runs.remove(run);
		wake();
		this.progress.signalAll();
		signalIdle();
	}

	void count(LoopRun run, RunEnd end) {
		if (!(end instanceof RunEnd.Park) && !(end instanceof RunEnd.Absent) && !(end instanceof RunEnd.Fenced)) {
			this.ended++;
		}
		if (end instanceof RunEnd.Conflict) {
			this.conflicts++;
		}
		else if (end instanceof RunEnd.Failed failure) {
			failed(run, failure.cause());
		}
		else if (end instanceof RunEnd.GaveUp gaveUp) {
			failed(run, gaveUp.cause());
		}
	}

	private void failed(LoopRun run, Throwable cause) {
		this.failed++;
		this.lastError = "%s for '%s'".formatted(RunFailure.of(cause, run.step()),
				PrintableText.of(run.key().toString()));
	}

	int active() {
		return this.runs.size();
	}

	List<LoopRun> active(Predicate<LoopRun> condition) {
		return this.runs.stream().filter(condition).toList();
	}

	/**
	 * Returns when the longest run began.
	 * @return the time; {@link KeyQueue#NEVER} if there is none
	 */
	long oldestRun() {
		return this.runs.isEmpty() ? KeyQueue.NEVER : this.runs.iterator().next().handOut.takenAt();
	}

	/**
	 * Signals that no key may be busy any more: not at the end of each run.
	 */
	void signalIdle() {
		if (this.runs.isEmpty() && !this.queue.keys().hasReady() && this.queue.keys().parked() == 0) {
			this.idle.changed();
		}
	}

	/**
	 * Wakes a worker if there is something to do that none is about to do.
	 */
	void wake() {
		Group present = this.group;
		if (present != null && this.open && present.idle > 0) {
			PendingKeys keys = this.queue.keys();
			if (keys.hasReady() || keys.nextDeadline() < present.awaitedDeadline) {
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
	void awaitWork(Group waiting) {
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

	private void awaitDeadline(Group waiting, long deadline) {
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
	 */
	void awaitProgress(long nanos) throws InterruptedException {
		this.progress.awaitNanos(nanos);
	}

	/**
	 * Workers of one start of the loop. Those of an earlier start that are still busy do
	 * not count among them. Guarded by the lock.
	 */
	static final class Group {

		/**
		 * Limits the time in which keys are taken, and in which runs may send requests.
		 */
		final Fence fence;

		final KeyRunner runner;

		/** The number of threads, those included that are about to be made. */
		int threads;

		/** The number of threads that wait for a key. */
		int idle;

		/** The number of threads that were made, which names them. */
		int numbers;

		/** The deadline that the first of these waits for. */
		long awaitedDeadline = KeyQueue.NEVER;

		Group(Fence fence, KeyRunner runner) {
			this.fence = fence;
			this.runner = runner;
		}

	}

}
