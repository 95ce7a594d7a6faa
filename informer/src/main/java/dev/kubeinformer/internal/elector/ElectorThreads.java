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
 * Threads of an elector, except the thread of the election. They end when they are idle.
 * User code runs in some of them, but never in the threads of the timer and of requests.
 */
public final class ElectorThreads {

	private static final Logger logger = LoggerFactory.getLogger(Leadership.class);

	private static final long RETRY_MILLIS = 500;

	private static final Duration KEPT = Duration.ofSeconds(2);

	/**
	 * Maximum number of requests that hang where they cannot be cancelled, such as in
	 * DNS.
	 */
	private static final int MOST_REQUESTS = 32;

	/** Prefix of the names of the threads. */
	private final String prefix;

	/** Name of the owner in messages. */
	private final String owner;

	/** Threads that run user code. A stop called from one of them must not wait. */
	private final ThreadGroup group;

	private final ThreadPoolExecutor calls;

	private final ThreadPoolExecutor requests;

	private final ScheduledThreadPoolExecutor timer;

	public ElectorThreads(String name) {
		this("leader-" + name, "The elector of Lease '%s'".formatted(name));
	}

	/**
	 * Creates threads, none of which is started yet.
	 * @param prefix the prefix of the names of the threads
	 * @param owner the owner in messages, with which a sentence begins
	 */
	public ElectorThreads(String prefix, String owner) {
		this.prefix = prefix;
		this.owner = owner;
		this.group = new ThreadGroup(prefix);
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
		Thread thread = new Thread(in, work, this.prefix + "-" + role);
		thread.setDaemon(true);
		return thread;
	}

	/**
	 * Creates the thread that renews the Lease. It keeps the JVM alive, like the threads
	 * of informers.
	 * @param work the loop of the thread
	 * @param role the role, which is part of the thread name
	 * @return the thread
	 */
	public Thread loop(Runnable work, String role) {
		Thread thread = new Thread(work, this.prefix + "-" + role);
		thread.setDaemon(false);
		return thread;
	}

	public Thread daemon(Runnable work, String role) {
		return daemon(null, work, role);
	}

	/**
	 * Creates a thread for user code.
	 * @param work the code to run
	 * @param role the role, which is part of the thread name
	 * @return the thread
	 */
	public Thread callback(Runnable work, String role) {
		return daemon(this.group, work, role);
	}

	public boolean isCallback() {
		ThreadGroup of = Thread.currentThread().getThreadGroup();
		return of != null && this.group.parentOf(of);
	}

	/**
	 * Runs user code in an idle or a new thread. Does not fail if no thread can be
	 * created: the code runs as soon as one is available.
	 * @param work the code to run
	 */
	public void call(Runnable work) {
		begin(() -> this.calls.execute(work));
	}

	/**
	 * Runs an action that starts a thread, and repeats it while no thread can be created.
	 * @param start the action, which can be repeated after a failure
	 */
	public void begin(Runnable start) {
		try {
			start.run();
		}
		catch (OutOfMemoryError | RejectedExecutionException ex) {
			logger.warn("{} cannot start a thread; retrying in {} ms", this.owner, RETRY_MILLIS, ex);
			later(() -> begin(start), RETRY_MILLIS, TimeUnit.MILLISECONDS);
		}
	}

	/**
	 * Runs a short task in the timer's thread.
	 * @param work the task
	 * @param delay the delay
	 * @param unit the unit of the delay
	 * @return the future, which can cancel the task; {@code null} if the timer has no
	 * thread, in which case the task runs when it has one
	 */
	public @Nullable ScheduledFuture<?> later(Runnable work, long delay, TimeUnit unit) {
		try {
			return this.timer.schedule(work, delay, unit);
		}
		catch (OutOfMemoryError ex) {
			// The task is already in the timer's queue.
			logger.warn("{} cannot start the thread of its timer; retrying later", this.owner, ex);
			return null;
		}
	}

	/**
	 * Creates the timer's thread if an earlier attempt failed.
	 */
	public void revive() {
		if (this.timer.getPoolSize() == 0 && !this.timer.getQueue().isEmpty()) {
			try {
				this.timer.prestartCoreThread();
			}
			catch (OutOfMemoryError ex) {
				logger.debug("{} still cannot start the thread of its timer", this.owner, ex);
			}
		}
	}

	public ExecutorService requests() {
		return this.requests;
	}

}
