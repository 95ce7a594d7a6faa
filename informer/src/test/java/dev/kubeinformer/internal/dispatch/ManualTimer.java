package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A timer with its clock: time passes when a test says so. The clock overflows soon, as
 * {@link System#nanoTime()} may.
 */
final class ManualTimer extends ScheduledThreadPoolExecutor {

	private final List<Task> tasks = new ArrayList<>();

	private long now = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(3);

	ManualTimer() {
		super(1);
	}

	synchronized long nanoTime() {
		return this.now;
	}

	@Override
	public synchronized ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
		Task task = new Task(command, this.now + unit.toNanos(delay));
		this.tasks.add(task);
		return task;
	}

	/**
	 * Lets time pass, and runs what becomes due meanwhile.
	 * @param time the time
	 */
	void advance(Duration time) {
		long end = nanoTime() + time.toNanos();
		for (Task next = next(end); next != null; next = next(end)) {
			next.run();
		}
	}

	private synchronized Task next(long end) {
		this.tasks.removeIf(Task::isCancelled);
		Task first = this.tasks.stream()
			.filter((task) -> task.due - end <= 0)
			.min(Comparator.naturalOrder())
			.orElse(null);
		this.tasks.remove(first);
		this.now = (first != null) ? this.now + Math.max(0, first.due - this.now) : end;
		return first;
	}

	/**
	 * Number of tasks that wait for their time.
	 * @return the number
	 */
	synchronized int scheduled() {
		this.tasks.removeIf(Task::isCancelled);
		return this.tasks.size();
	}

	private final class Task extends FutureTask<Void> implements ScheduledFuture<Void> {

		private final long due;

		Task(Runnable command, long due) {
			super(command, null);
			this.due = due;
		}

		@Override
		public long getDelay(TimeUnit unit) {
			return unit.convert(this.due - nanoTime(), TimeUnit.NANOSECONDS);
		}

		@Override
		public int compareTo(Delayed other) {
			return Long.compare(this.due - ((Task) other).due, 0);
		}

	}

}
