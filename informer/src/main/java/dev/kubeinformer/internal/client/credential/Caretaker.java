package dev.kubeinformer.internal.client.credential;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Thread that renews client certificates while no request is made: a watch stays open
 * after its certificate expired, and the API server answers 401 to what follows on its
 * connection. It sleeps until something is due.
 */
final class Caretaker {

	private static final Logger logger = LoggerFactory.getLogger(Credential.class);

	/**
	 * Longest sleep, because the time of the day may be set or jump after a suspension.
	 */
	private static final Duration LONGEST = Duration.ofSeconds(15);

	private final Supplier<@Nullable Duration> work;

	private final Semaphore woken = new Semaphore(0);

	private @Nullable Thread thread;

	private volatile boolean closed;

	/**
	 * Creates a caretaker, whose thread starts when it is woken first.
	 * @param work does what is due; returns the time until the next call, or {@code null}
	 * to sleep until it is woken
	 */
	Caretaker(Supplier<@Nullable Duration> work) {
		this.work = work;
	}

	/**
	 * Creates a thread of this room.
	 * @param run what it runs
	 * @return a daemon, not started
	 */
	static Thread thread(Runnable run) {
		Thread thread = new Thread(run, "informer-credentials");
		thread.setDaemon(true);
		return thread;
	}

	/**
	 * Has the work done again soon.
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
				// Nobody interrupts this thread; close() wakes it.
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
			// Nothing else starts this thread again.
			logger.warn("Cannot look after the credentials, and tries again in {} s: {}", LONGEST.toSeconds(),
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
