package dev.kubeinformer.dispatch;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.store.DeltaSink;
import dev.kubeinformer.store.ObjectKey;

/**
 * The workers of one handler and the queue between them and the store. A handler that
 * blocks or throws hurts nobody but itself: an exception is counted and reported, and the
 * next event is handled.
 *
 * @param <T> the model class
 */
public final class HandlerDispatcher<T> {

	/** How long an interrupted worker may take to end before it is left behind. */
	private static final Duration GRACE = Duration.ofMillis(500);

	private final HandlerQueue<T> queue;

	private final DeliveryHandler<T> handler;

	private final DeliveryFailureHandler<T> failureHandler;

	private final int concurrency;

	private final ThreadFactory threads;

	private final ReentrantLock lifecycle = new ReentrantLock();

	private volatile List<Thread> workers = List.of();

	private final LongAdder processed = new LongAdder();

	private final LongAdder failed = new LongAdder();

	private volatile @Nullable LastFailure lastFailure;

	/**
	 * Creates a dispatcher. No thread runs before {@link #start()}.
	 * @param handler the handler
	 * @param failureHandler is told of exceptions
	 * @param concurrency the number of workers
	 * @param capacity the number of events beyond which events of an object are merged
	 * @param threads makes the workers' threads
	 */
	public HandlerDispatcher(DeliveryHandler<T> handler, DeliveryFailureHandler<T> failureHandler, int concurrency,
			int capacity, ThreadFactory threads) {
		this.queue = new HandlerQueue<>(capacity);
		this.handler = handler;
		this.failureHandler = failureHandler;
		this.concurrency = concurrency;
		this.threads = threads;
	}

	/**
	 * Where the store puts its changes.
	 * @return the sink
	 */
	public DeltaSink<T> sink() {
		return this.queue;
	}

	/**
	 * Starts the workers. Does nothing if they run.
	 */
	public void start() {
		this.lifecycle.lock();
		try {
			if (this.workers.isEmpty()) {
				int generation = this.queue.serve();
				List<Thread> started = new ArrayList<>();
				for (int i = 0; i < this.concurrency; i++) {
					Thread thread = this.threads.newThread(() -> work(generation));
					started.add(thread);
				}
				this.workers = started;
				started.forEach(Thread::start);
			}
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	/**
	 * Lets the workers end: events that wait are handled up to a limit, what is left then
	 * stays for the next start. Returns at once.
	 * @param limit the limit
	 */
	public void drain(Duration limit) {
		this.queue.drain(System.nanoTime() + limit.toNanos());
	}

	/**
	 * Waits until the workers have ended after {@link #drain(Duration)}. Those that did
	 * not within the limit are interrupted. Called from a callback of this handler, it
	 * does not wait for that callback.
	 * @param limit the limit
	 */
	public void awaitEnd(Duration limit) {
		if (isWorker(Thread.currentThread())) {
			return;
		}
		this.lifecycle.lock();
		try {
			List<Thread> running = this.workers;
			join(running, limit);
			running.forEach(Thread::interrupt);
			join(running, GRACE);
			this.workers = List.of();
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	/**
	 * Ends the workers for good: no more events are taken, those that wait are handled up
	 * to a limit, and dropped after it.
	 * @param limit the limit
	 */
	public void close(Duration limit) {
		this.queue.close();
		drain(limit);
		awaitEnd(limit);
		if (!isWorker(Thread.currentThread())) {
			this.queue.clear();
		}
	}

	private void join(List<Thread> running, Duration limit) {
		long deadline = System.nanoTime() + limit.toNanos();
		boolean interrupted = false;
		for (Thread thread : running) {
			long millis = Math.max(0, (deadline - System.nanoTime()) / 1_000_000);
			try {
				if (millis > 0) {
					thread.join(millis);
				}
			}
			catch (InterruptedException ex) {
				interrupted = true;
				break;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	private void work(int generation) {
		while (true) {
			PendingDelta<T> pending;
			try {
				pending = this.queue.take(generation);
			}
			catch (InterruptedException ex) {
				// Whether the worker is still wanted is the queue's to say.
				continue;
			}
			if (pending == null) {
				return;
			}
			handle(pending);
		}
	}

	private void handle(PendingDelta<T> pending) {
		Delivery<T> delivery = pending.delivery();
		try {
			this.handler.handle(delivery);
			this.processed.increment();
		}
		catch (Throwable ex) {
			this.failed.increment();
			this.lastFailure = new LastFailure(Instant.now(), ex.getClass().getName(), pending.key());
			report(delivery, ex);
		}
		finally {
			this.queue.finished(pending);
			// An interrupt that the handler left behind is not meant for the next event.
			Thread.interrupted();
		}
	}

	private void report(Delivery<T> delivery, Throwable cause) {
		try {
			this.failureHandler.failed(delivery, cause);
		}
		catch (RuntimeException ex) {
			cause.addSuppressed(ex);
		}
	}

	/**
	 * Whether a thread is one of the workers, so that its caller is a callback.
	 * @param thread the thread
	 * @return whether it is a worker
	 */
	public boolean isWorker(Thread thread) {
		return this.workers.contains(thread);
	}

	/**
	 * Holds events back, or lets them go on.
	 * @param paused whether to hold them back
	 */
	public void pause(boolean paused) {
		this.queue.pause(paused);
	}

	/**
	 * Whether events are held back.
	 * @return whether events are held back
	 */
	public boolean isPaused() {
		return this.queue.isPaused();
	}

	/**
	 * Waits until the handler has finished the initial state.
	 * @param timeout how long to wait at most
	 * @return whether it has
	 * @throws InterruptedException if the thread is interrupted
	 * @throws IllegalStateException if called from a callback of this handler
	 */
	public boolean awaitSync(Duration timeout) throws InterruptedException {
		if (isWorker(Thread.currentThread()) && this.queue.sync().syncedAt() == null) {
			throw new IllegalStateException(
					"A callback cannot wait for the sync of its own handler: the sync waits for the callback");
		}
		return this.queue.sync().await(timeout);
	}

	/**
	 * When the handler had finished the initial state.
	 * @return the time, or {@code null} before that
	 */
	public @Nullable Instant syncedAt() {
		return this.queue.sync().syncedAt();
	}

	/**
	 * Number of events of the initial state that are not finished.
	 * @return the number
	 */
	public int pendingInitial() {
		return this.queue.sync().outstanding();
	}

	/**
	 * Number of events that wait.
	 * @return the number
	 */
	public int queueSize() {
		return this.queue.size();
	}

	/**
	 * Number of events that were merged into another.
	 * @return the number
	 */
	public long merged() {
		return this.queue.merged();
	}

	/**
	 * Number of events that were handled without an exception.
	 * @return the number
	 */
	public long processed() {
		return this.processed.sum();
	}

	/**
	 * Number of events whose handling threw an exception.
	 * @return the number
	 */
	public long failed() {
		return this.failed.sum();
	}

	/**
	 * The last exception.
	 * @return the last exception, or {@code null} if there was none
	 */
	public @Nullable LastFailure lastFailure() {
		return this.lastFailure;
	}

	/**
	 * An exception of the handler, without its message.
	 *
	 * @param at when it was thrown
	 * @param exception the name of its class
	 * @param key the object
	 */
	public record LastFailure(Instant at, String exception, ObjectKey key) {

	}

	/**
	 * Is told of exceptions of a handler.
	 *
	 * @param <T> the model class
	 */
	@FunctionalInterface
	public interface DeliveryFailureHandler<T> {

		/**
		 * Takes one exception.
		 * @param delivery the event
		 * @param cause the exception
		 */
		void failed(Delivery<T> delivery, Throwable cause);

	}

}
