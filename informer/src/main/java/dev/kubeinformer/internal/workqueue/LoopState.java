package dev.kubeinformer.internal.workqueue;

import java.util.ArrayList;
import java.util.BitSet;
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
 * State that the threads of a loop share: its queue, its runs, its counters, and the
 * conditions for waiting. No external code is called under its lock.
 */
final class LoopState {

	/**
	 * Lock of the loop. A thread that holds the lock of a store may acquire this lock. A
	 * thread that holds this lock must not acquire the lock of a store.
	 */
	final ReentrantLock lock = new ReentrantLock();

	/**
	 * Wakes callers that wait until the whole reconciler is idle, not only this loop. Has
	 * a lock of its own.
	 */
	final IdleCondition idle = new IdleCondition();

	/** Returns whether the API server is unavailable to all informers. */
	volatile BooleanSupplier serverAway = () -> false;

	// Never changed.

	private final LoopOptions options;

	private final KeyDelays delays;

	private final long timeout;

	private final long origin;

	/** Signalled when a waiting worker has something to do. */
	private final Condition work = this.lock.newCondition();

	/** Signalled when a run has ended. */
	private final Condition progress = this.lock.newCondition();

	// Guarded by the lock.

	KeyQueue queue;

	/**
	 * Workers that take keys; {@code null} while the loop is stopped. Also read without
	 * the lock.
	 */
	volatile @Nullable Group group;

	/** Whether workers may take keys. */
	boolean open;

	/** Whether the queue accepts keys. */
	boolean fed = true;

	/** Slots of this replica: runs for objects in these slots may begin. */
	final BitSet admitted = new BitSet();

	/**
	 * Number of keys that were taken since the loop was created, including keys that were
	 * only parked or whose object did not exist.
	 */
	long started;

	/** Number of runs that ended since the loop was created. */
	long ended;

	long failed;

	long conflicts;

	long ownWriteTimeouts;

	@Nullable String lastError;

	/**
	 * Current runs, in the order of their start. They all have the same timeout, so one
	 * timer task is enough for them.
	 */
	private final Set<LoopRun> runs = new LinkedHashSet<>();

	/** Whether a check for runs that have timed out is scheduled. */
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
	 * Returns the time since the loop was created.
	 * @return the time in nanoseconds
	 */
	long now() {
		return this.options.nanoTime().getAsLong() - this.origin;
	}

	/**
	 * Returns the time that has passed since a given time.
	 * @param since the given time; {@link KeyQueue#NEVER} for none
	 * @return the time in nanoseconds
	 */
	long age(long since) {
		return (since != KeyQueue.NEVER) ? Math.max(0, now() - since) : 0;
	}

	/**
	 * Forgets all keys. The new queue still knows which keys are running, and does not
	 * hand them out before their runs have ended.
	 */
	void forgetKeys() {
		KeyQueue next = new KeyQueue(this.delays);
		this.runs.forEach((run) -> next.occupy(run.key()));
		this.queue = next;
		signalIdle();
	}

	/**
	 * Records that a run has begun.
	 * @param run the run
	 * @param check called when a run may have timed out
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
		// Another worker must handle further ready keys and the next deadline.
		wake();
	}

	private void schedule(Runnable check, long wait) {
		try {
			this.options.timer().schedule(check, wait, TimeUnit.NANOSECONDS);
			this.scheduled = true;
		}
		catch (RejectedExecutionException ex) {
			// The engine is being closed, so the loop is about to be stopped.
			this.scheduled = false;
		}
	}

	/**
	 * Returns the runs that have timed out, and schedules the next check.
	 * @param check called at the next check
	 * @return the runs that have timed out and were not cancelled for this reason yet
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
	 * Removes a run that has ended, after the queue has received its result.
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
	 * Returns the start of the longest current run.
	 * @return the time; {@link KeyQueue#NEVER} if there is no run
	 */
	long oldestRun() {
		return this.runs.isEmpty() ? KeyQueue.NEVER : this.runs.iterator().next().handOut.takenAt();
	}

	/**
	 * Signals that the loop may have become idle, unless keys are running, ready or
	 * parked.
	 */
	void signalIdle() {
		if (this.runs.isEmpty() && !this.queue.keys().hasReady() && this.queue.keys().parked() == 0) {
			this.idle.changed();
		}
	}

	/**
	 * Wakes an idle worker if a key is ready, or if a wait ends before an idle worker
	 * would notice.
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

	/** Wakes all workers, because the number of wanted workers has changed. */
	void wakeAll() {
		this.work.signalAll();
	}

	/**
	 * Waits until there may be work for a worker. One of the waiting workers waits only
	 * until the next wait of a key ends, so these waits need no timer.
	 * @param waiting the group of the worker
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
			// Ignore the interrupt: the worker checks next whether it is still wanted.
		}
		finally {
			if (waiting.awaitedDeadline == deadline) {
				waiting.awaitedDeadline = KeyQueue.NEVER;
			}
		}
	}

	/**
	 * Waits until another run has ended.
	 * @param nanos the longest time to wait, in nanoseconds
	 */
	void awaitProgress(long nanos) throws InterruptedException {
		this.progress.awaitNanos(nanos);
	}

	/**
	 * Workers that were started together with the loop. Busy workers from before an
	 * earlier stop do not count. Guarded by the lock.
	 */
	static final class Group {

		/** Decides how long workers may take keys and runs may send requests. */
		final Fence fence;

		final KeyRunner runner;

		/** Number of threads, including threads that are about to be created. */
		int threads;

		/** Number of threads that wait for a key. */
		int idle;

		/** Number of threads that were created; used in their names. */
		int numbers;

		/**
		 * Time until which one of the idle threads waits, because the wait of a key ends
		 * then.
		 */
		long awaitedDeadline = KeyQueue.NEVER;

		Group(Fence fence, KeyRunner runner) {
			this.fence = fence;
			this.runner = runner;
		}

	}

}
