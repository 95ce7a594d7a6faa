package dev.kubeinformer.dispatch;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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
	public static final Duration GRACE = Duration.ofMillis(500);

	private static final Handling IDLE = new Handling(Instant.EPOCH, new ObjectKey("", ""));

	private final HandlerQueue<T> queue;

	private final DeliveryHandler<T> handler;

	private final DeliveryFailureHandler<T> failureHandler;

	private final int concurrency;

	private final ThreadFactory threads;

	private final ReentrantLock lifecycle = new ReentrantLock();

	private volatile List<Thread> workers = List.of();

	private final Map<Thread, Handling> active = new ConcurrentHashMap<>();

	private volatile long deadline;

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
		this.deadline = System.nanoTime() + limit.toNanos();
		this.queue.drain(this.deadline);
	}

	/**
	 * Waits until the workers have ended after {@link #drain(Duration)}, as long as its
	 * limit allows, and interrupts those that did not. Called from a callback of this
	 * handler, it does not wait for that callback.
	 */
	public void awaitDrained() {
		if (!isInCallback()) {
			List<Thread> running = this.workers;
			join(running, this.deadline);
			running.forEach(Thread::interrupt);
		}
	}

	/**
	 * Waits until the workers that were interrupted have ended.
	 * @param until how long to wait at most, as by {@link System#nanoTime()}
	 */
	public void awaitEnd(long until) {
		this.lifecycle.lock();
		try {
			if (!isInCallback()) {
				join(this.workers, until);
			}
			// Whoever is left behind is sent away by the queue when it comes.
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
		awaitDrained();
		awaitEnd(System.nanoTime() + GRACE.toNanos());
		if (!isInCallback()) {
			this.queue.clear();
		}
	}

	private void join(List<Thread> running, long until) {
		for (Thread thread : running) {
			long millis = (until - System.nanoTime()) / 1_000_000;
			try {
				if (millis > 0) {
					thread.join(millis);
				}
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				return;
			}
		}
	}

	private void work(int generation) {
		this.active.put(Thread.currentThread(), IDLE);
		try {
			PendingDelta<T> pending = next(generation);
			while (pending != null) {
				handle(pending);
				pending = next(generation);
			}
		}
		finally {
			this.active.remove(Thread.currentThread());
		}
	}

	private @Nullable PendingDelta<T> next(int generation) {
		while (true) {
			try {
				return this.queue.take(generation);
			}
			catch (InterruptedException ex) {
				// Whether the worker is still wanted is the queue's to say.
			}
		}
	}

	private void handle(PendingDelta<T> pending) {
		Delivery<T> delivery = pending.delivery();
		this.active.put(Thread.currentThread(), new Handling(Instant.now(), pending.key()));
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
			this.active.put(Thread.currentThread(), IDLE);
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
	 * Whether the calling thread is a worker of this handler, so that its caller is a
	 * callback.
	 * @return whether it is
	 */
	public boolean isInCallback() {
		return this.active.containsKey(Thread.currentThread());
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
		if (isInCallback() && this.queue.sync().syncedAt() == null) {
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
	 * The event that the handler has been busy with for longest.
	 * @return the event, or {@code null} if the handler is idle
	 */
	public @Nullable Handling handling() {
		return this.active.values()
			.stream()
			.filter((each) -> each != IDLE)
			.min(Comparator.comparing(Handling::since))
			.orElse(null);
	}

	/**
	 * Whether the handler has finished an initial state at least once.
	 * @return whether it ever was synced
	 */
	public boolean everSynced() {
		return this.queue.sync().everSynced();
	}

	/**
	 * An event that is being handled.
	 *
	 * @param since since when
	 * @param key the object
	 */
	public record Handling(Instant since, ObjectKey key) {

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
