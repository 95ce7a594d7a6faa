package dev.kubeinformer.internal.client.credential;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Thread that renews client certificates between requests. A watch stays open after its
 * certificate has expired, but the API server responds with 401 to later requests on that
 * connection. The thread sleeps until a renewal is due.
 */
final class Caretaker {

	private static final Logger logger = LoggerFactory.getLogger(Credential.class);

	/**
	 * Longest sleep, because the wall clock may be set or jump after a suspension.
	 */
	private static final Duration LONGEST = Duration.ofSeconds(15);

	private final Supplier<@Nullable Duration> work;

	private final Semaphore woken = new Semaphore(0);

	private @Nullable Thread thread;

	private volatile boolean closed;

	/**
	 * Creates a caretaker, whose thread starts with the first wake-up.
	 * @param work the due work; returns the time until the next call, or {@code null} to
	 * sleep until woken
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
	 * Requests a run of the work soon.
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
