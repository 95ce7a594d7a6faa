package dev.kubeinformer.internal.elector;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.leader.Leadership;

/**
 * Threads of an elector, beside the one that elects. They end when there is nothing to
 * do. User code runs in some of them, and never in the timer's nor in those of requests.
 */
public final class ElectorThreads {

	private static final Logger logger = LoggerFactory.getLogger(Leadership.class);

	private static final long RETRY_MILLIS = 500;

	private static final Duration KEPT = Duration.ofSeconds(2);

	/** As many requests may hang in what cannot be cancelled, such as DNS. */
	private static final int MOST_REQUESTS = 32;

	private final String name;

	/** Threads in which user code runs: a stop that comes from it must not wait. */
	private final ThreadGroup group;

	private final ThreadPoolExecutor calls;

	private final ThreadPoolExecutor requests;

	private final ScheduledThreadPoolExecutor timer;

	public ElectorThreads(String name) {
		this.name = name;
		this.group = new ThreadGroup("leader-" + name);
		this.calls = new ThreadPoolExecutor(0, Integer.MAX_VALUE, KEPT.toMillis(), TimeUnit.MILLISECONDS,
				new SynchronousQueue<>(), (work) -> daemon(this.group, work, "work"));
		this.requests = new ThreadPoolExecutor(0, MOST_REQUESTS, KEPT.toMillis(), TimeUnit.MILLISECONDS,
				new SynchronousQueue<>(), (work) -> daemon(null, work, "request"));
		this.timer = new ScheduledThreadPoolExecutor(1, (work) -> daemon(null, work, "timer"));
		this.timer.setRemoveOnCancelPolicy(true);
		this.timer.setKeepAliveTime(KEPT.toMillis(), TimeUnit.MILLISECONDS);
		this.timer.allowCoreThreadTimeOut(true);
	}

	private Thread daemon(@Nullable ThreadGroup in, Runnable work, String role) {
		Thread thread = new Thread(in, work, "leader-" + this.name + "-" + role);
		thread.setDaemon(true);
		return thread;
	}

	/**
	 * Makes the thread that elects. It keeps the JVM alive, as those of informers do.
	 * @param work what it does
	 * @return the thread
	 */
	Thread elector(Runnable work) {
		Thread thread = new Thread(work, "leader-" + this.name + "-elector");
		thread.setDaemon(false);
		return thread;
	}

	Thread daemon(Runnable work, String role) {
		return daemon(null, work, role);
	}

	/**
	 * Makes a thread for user code.
	 * @param work what it does
	 * @param role what it is called
	 * @return the thread
	 */
	Thread callback(Runnable work, String role) {
		return daemon(this.group, work, role);
	}

	public boolean isCallback() {
		ThreadGroup of = Thread.currentThread().getThreadGroup();
		return of != null && this.group.parentOf(of);
	}

	/**
	 * Runs user code, in a thread of its own where none is idle. Never fails for want of
	 * threads: it runs as soon as there is one.
	 * @param work what to run
	 */
	void call(Runnable work) {
		begin(() -> this.calls.execute(work));
	}

	/**
	 * Does what starts a thread, again and again as long as none can be had.
	 * @param start starts a thread, and may be repeated where it fails
	 */
	public void begin(Runnable start) {
		try {
			start.run();
		}
		catch (OutOfMemoryError | RejectedExecutionException ex) {
			logger.warn("The elector of the Lease '{}' cannot start a thread, and tries again after {} ms", this.name,
					RETRY_MILLIS, ex);
			later(() -> begin(start), RETRY_MILLIS, TimeUnit.MILLISECONDS);
		}
	}

	/**
	 * Runs something short in the timer's thread.
	 * @param work what to run
	 * @param delay after how long
	 * @param unit the unit of the delay
	 * @return what cancels it; {@code null} if the timer has no thread yet, and does it
	 * when it has one again
	 */
	@Nullable ScheduledFuture<?> later(Runnable work, long delay, TimeUnit unit) {
		try {
			return this.timer.schedule(work, delay, unit);
		}
		catch (OutOfMemoryError ex) {
			// The timer has it in its queue by now.
			logger.warn("The timer of the Lease '{}' cannot start its thread", this.name, ex);
			return null;
		}
	}

	/**
	 * Gives the timer a thread, if it could not have one when it needed it.
	 */
	void revive() {
		if (this.timer.getPoolSize() == 0 && !this.timer.getQueue().isEmpty()) {
			try {
				this.timer.prestartCoreThread();
			}
			catch (OutOfMemoryError ex) {
				logger.debug("The timer of the Lease '{}' still cannot start its thread", this.name, ex);
			}
		}
	}

	ExecutorService requests() {
		return this.requests;
	}

}
