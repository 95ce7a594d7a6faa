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
 * Creates the threads of an elector. The threads for requests, for user code and for the
 * timer end when they are idle. User code never runs in the threads of the timer and of
 * requests.
 */
public final class ElectorThreads {

	private static final Logger logger = LoggerFactory.getLogger(Leadership.class);

	private static final long RETRY_MILLIS = 500;

	private static final Duration KEPT = Duration.ofSeconds(2);

	/**
	 * Maximum number of threads for requests. A request may hang in a place where it
	 * cannot be cancelled, such as in DNS, and then blocks a thread.
	 */
	private static final int MOST_REQUESTS = 32;

	/** Prefix of the names of the threads. */
	private final String prefix;

	/** Name of the owner of the threads in messages. */
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
	 * Creates an instance that has not started a thread yet.
	 * @param prefix the prefix of the names of the threads
	 * @param owner the name of the owner in messages, as the beginning of a sentence
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
	 * Creates the thread that renews the Lease. It is not a daemon thread, so it keeps
	 * the JVM alive, as the threads of informers do.
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
	 * Runs user code in an idle or a new thread. If no thread can be created, this method
	 * does not fail, and the code runs as soon as there is a thread.
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
	 * thread. The task then runs as soon as the timer has a thread
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
	 * Tries again to create the timer's thread, if an earlier attempt failed.
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
