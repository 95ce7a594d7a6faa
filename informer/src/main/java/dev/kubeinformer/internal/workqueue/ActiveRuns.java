package dev.kubeinformer.internal.workqueue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import dev.kubeinformer.internal.text.Durations;

/**
 * Runs of a loop at this moment, in the order of their start. All may take equally long,
 * so that one task of the timer is enough for them. Guarded by the lock of the loop.
 */
final class ActiveRuns {

	private final Set<LoopRun> runs = new LinkedHashSet<>();

	private final long timeout;

	private final ScheduledExecutorService timer;

	/** Whether a check is scheduled. */
	private boolean scheduled;

	ActiveRuns(Duration timeout, ScheduledExecutorService timer) {
		this.timeout = Durations.nanos(timeout);
		this.timer = timer;
	}

	/**
	 * Adds a run.
	 * @param run the run
	 * @param check to be called when a run may have taken too long
	 */
	void add(LoopRun run, Runnable check) {
		this.runs.add(run);
		if (!this.scheduled) {
			schedule(check, this.timeout);
		}
	}

	private void schedule(Runnable check, long wait) {
		try {
			this.timer.schedule(check, wait, TimeUnit.NANOSECONDS);
			this.scheduled = true;
		}
		catch (RejectedExecutionException ex) {
			// The engine is being closed: the loop is about to be stopped.
			this.scheduled = false;
		}
	}

	void remove(LoopRun run) {
		this.runs.remove(run);
	}

	/**
	 * Returns the runs that take too long, and schedules the next check.
	 * @param now the time
	 * @param check to be called then
	 * @return those that were not cancelled yet
	 */
	List<LoopRun> late(long now, Runnable check) {
		List<LoopRun> late = new ArrayList<>();
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
	 * Returns when the longest run began.
	 * @return the time; {@link KeyQueue#NEVER} if there is none
	 */
	long oldest() {
		return this.runs.isEmpty() ? KeyQueue.NEVER : this.runs.iterator().next().handOut.takenAt();
	}

	int size() {
		return this.runs.size();
	}

	List<LoopRun> matching(Predicate<LoopRun> condition) {
		return this.runs.stream().filter(condition).toList();
	}

}
