package dev.kubeinformer.internal.client.credential;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Thread that renews client certificates even if there is no request. This is needed
 * because a watch stays open after its certificate has expired, but the API server
 * responds with 401 to later requests on that connection. The thread sleeps until a
 * renewal is due.
 */
final class Caretaker {

	private static final Logger logger = LoggerFactory.getLogger(Credential.class);

	/**
	 * Longest sleep. The thread must wake in between, because the wall clock may jump,
	 * for example after a suspension of the machine.
	 */
	private static final Duration LONGEST = Duration.ofSeconds(15);

	private final Supplier<@Nullable Duration> work;

	private final Semaphore woken = new Semaphore(0);

	private @Nullable Thread thread;

	private volatile boolean closed;

	/**
	 * Creates a caretaker. Its thread starts with the first {@link #wake()}.
	 * @param work does the work that is due, and returns the time until the next call;
	 * {@code null} to sleep until {@link #wake()}
	 */
	Caretaker(Supplier<@Nullable Duration> work) {
		this.work = work;
	}

	/**
	 * Creates a thread of this package.
	 * @param run the code to run
	 * @return a daemon thread that is not started
	 */
	static Thread thread(Runnable run) {
		Thread thread = new Thread(run, "informer-credentials");
		thread.setDaemon(true);
		return thread;
	}

	/**
	 * Wakes the thread to do the work that is due, and starts the thread at the first
	 * call.
	 */
	synchronized void wake() {
		if (this.thread == null && !this.closed) {
			Thread started = thread(this::run);
			started.start();
			this.thread = started;
		}
		this.woken.release();
	}

	private void run() {
		while (!this.closed) {
			try {
				sleep(next());
			}
			catch (InterruptedException ex) {
				// Ignore the interrupt, because only close() ends this thread.
				continue;
			}
			this.woken.drainPermits();
		}
	}

	private @Nullable Duration next() {
		try {
			return this.work.get();
		}
		catch (RuntimeException | Error ex) {
			// Continue, because this thread is not started again.
			logger.warn("Cannot renew the credentials in the background; retrying in {} s: {}", LONGEST.toSeconds(),
					ex.getClass().getName());
			return LONGEST;
		}
	}

	private void sleep(@Nullable Duration next) throws InterruptedException {
		if (next == null) {
			this.woken.acquire();
		}
		else {
			Duration bounded = (next.compareTo(LONGEST) < 0) ? next : LONGEST;
			this.woken.tryAcquire(Math.max(1, bounded.toMillis()), TimeUnit.MILLISECONDS);
		}
	}

	/**
	 * Ends the thread.
	 */
	synchronized void close() {
		this.closed = true;
		this.woken.release();
	}

}
