package dev.kubeinformer.test.internal.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * Timers of one stream, which end with the stream. Their actions must be quick.
 */
public final class Timers {

	private final Scheduler scheduler;

	private final List<Timer> timers = new ArrayList<>();

	private boolean closed;

	public Timers(Scheduler scheduler) {
		this.scheduler = scheduler;
	}

	public synchronized void after(Duration delay, Runnable action) {
		add(new Timer(delay, action, false));
	}

	public synchronized void every(Duration period, Runnable action) {
		add(new Timer(period, action, true));
	}

	private void add(Timer timer) {
		this.timers.add(timer);
		timer.schedule();
	}

	private synchronized void remove(Timer timer) {
		this.timers.remove(timer);
	}

	public synchronized void close() {
		this.closed = true;
		this.timers.forEach(Timer::cancel);
	}

	/**
	 * Action at a time, or at a fixed interval.
	 */
	private final class Timer implements Runnable {

		private final Duration delay;

		private final Runnable action;

		private final boolean repeated;

		private Scheduler.@Nullable Task task;

		Timer(Duration delay, Runnable action, boolean repeated) {
			this.delay = delay;
			this.action = action;
			this.repeated = repeated;
		}

		void schedule() {
			synchronized (Timers.this) {
				if (!Timers.this.closed) {
					this.task = Timers.this.scheduler.schedule(this, this.delay);
				}
			}
		}

		void cancel() {
			if (this.task != null) {
				this.task.cancel();
			}
		}

		@Override
		public void run() {
			this.action.run();
			if (this.repeated) {
				schedule();
			}
			else {
				remove(this);
			}
		}

	}

}
