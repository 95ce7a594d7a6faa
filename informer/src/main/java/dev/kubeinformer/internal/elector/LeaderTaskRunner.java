package dev.kubeinformer.internal.elector;

import java.util.concurrent.CountDownLatch;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.internal.failure.LoggedFailure;
import dev.kubeinformer.leader.LeaderTask;
import dev.kubeinformer.leader.LeaderWork;
import dev.kubeinformer.leader.Leadership;

/**
 * Runs a task of the leader in each term, on its own thread. Thread-safe.
 */
public final class LeaderTaskRunner implements LeaderWork {

	private static final Logger logger = LoggerFactory.getLogger(Leadership.class);

	private final String name;

	private final LeaderTask task;

	private final ElectorThreads threads;

	// The fields below are guarded by this.

	private @Nullable Run latest;

	private boolean closed;

	public LeaderTaskRunner(String name, LeaderTask task, ElectorThreads threads) {
		this.name = name;
		this.task = task;
		this.threads = threads;
	}

	@Override
	public synchronized void granted(Leadership.Term term) {
		if (this.closed) {
			return;
		}
		Run next = new Run(term, this.latest);
		this.latest = next;
		this.threads.begin(next::start);
	}

	@Override
	public boolean drain() throws InterruptedException {
		Run run = callOff();
		if (run != null) {
			run.ended.await();
		}
		return true;
	}

	@Override
	public void lost() {
		callOff();
	}

	/**
	 * Ends the task. It does not run again.
	 */
	public synchronized void close() {
		this.closed = true;
		callOff();
	}

	private synchronized @Nullable Run callOff() {
		Run run = this.latest;
		if (run != null) {
			run.callOff();
		}
		return run;
	}

	@Override
	public String toString() {
		return this.name;
	}

	/**
	 * Run of the task in one term. It only counts as ended when all previous runs have
	 * ended, too.
	 */
	private final class Run implements Runnable {

		private final Leadership.Term term;

		private final CountDownLatch ended = new CountDownLatch(1);

		/**
		 * Previous run. Used only by the thread of this run, and cleared when the
		 * previous run has ended.
		 */
		private @Nullable Run before;

		// The fields below are guarded by the outer instance.

		private @Nullable Thread thread;

		private boolean calledOff;

		Run(Leadership.Term term, @Nullable Run before) {
			this.term = term;
			this.before = before;
		}

		void start() {
			Thread fresh = LeaderTaskRunner.this.threads.callback(this, "task-" + LeaderTaskRunner.this.name);
			synchronized (LeaderTaskRunner.this) {
				this.thread = fresh;
			}
			fresh.start();
		}

		void callOff() {
			synchronized (LeaderTaskRunner.this) {
				this.calledOff = true;
				if (this.thread != null) {
					this.thread.interrupt();
				}
			}
		}

		private boolean isCalledOff() {
			synchronized (LeaderTaskRunner.this) {
				return this.calledOff;
			}
		}

		@Override
		public void run() {
			try {
				awaitBefore();
				if (!isCalledOff()) {
					LeaderTaskRunner.this.task.run(this.term);
				}
			}
			catch (InterruptedException ex) {
				logger.debug("Task '{}' of the leader was interrupted", LeaderTaskRunner.this.name);
			}
			catch (Throwable ex) {
				if (isCalledOff()) {
					logger.debug("Task '{}' of the leader has ended with its term", LeaderTaskRunner.this.name,
							LoggedFailure.of(ex));
				}
				else {
					logger.error("Task '{}' of the leader failed; it will not run again in term {}",
							LeaderTaskRunner.this.name, this.term.number(), LoggedFailure.of(ex));
				}
			}
			finally {
				this.ended.countDown();
			}
		}

		private void awaitBefore() {
			Run awaited = this.before;
			while (awaited != null) {
				try {
					// Wait for a run that ignores its interrupt, because it must not
					// overlap with the next run.
					awaited.ended.await();
					awaited = null;
				}
				catch (InterruptedException ex) {
					// Skip the task; later runs wait only for this thread.
					logger.debug("Task '{}' of the leader still waits for its run in an earlier term",
							LeaderTaskRunner.this.name);
				}
			}
			this.before = null;
		}

	}

}
