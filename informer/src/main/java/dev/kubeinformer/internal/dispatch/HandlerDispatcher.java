package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerStatus;
import dev.kubeinformer.internal.slots.SlotPredicate;
import dev.kubeinformer.internal.store.DeltaSink;
import dev.kubeinformer.internal.text.LogContext;

/**
 * Delivers events to one handler. The store adds events to the queue of the handler, and
 * workers call the handler with them. So a handler that blocks or throws an exception
 * does not affect other handlers. An exception is counted and reported, and the next
 * event is handled. The failed event is retried according to the handler's backoff.
 *
 * @param <T> the model class
 */
public final class HandlerDispatcher<T extends KubernetesObject> {

	/** Time that an interrupted worker may take to end before it is abandoned. */
	public static final Duration GRACE = Duration.ofMillis(500);

	private final HandlerQueue<T> queue;

	private final HandlerInvoker<T> invoker;

	private final HandlerWorkers<T> workers;

	/**
	 * Creates a dispatcher. No thread runs before
	 * {@link #start(ScheduledExecutorService)}.
	 * @param handler the handler
	 * @param options the options of the delivery
	 * @param listener the listener to the outcomes of events
	 * @param context the context that the informer provides
	 */
	public HandlerDispatcher(EventHandler<T> handler, HandlerOptions options, DeliveryListener<T> listener,
			Context context) {
		Recovery recovery = new Recovery();
		this.queue = new HandlerQueue<>(options.queueCapacity(), context.nanoTime(), listener::synced,
				listener::dropped, recovery, context.idle());
		this.invoker = new HandlerInvoker<>(this.queue, handler, options, listener, context, this::isInterrupted,
				recovery);
		this.workers = new HandlerWorkers<>(this.queue, options.concurrency(), context.threads(), this.invoker::handle,
				recovery);
	}

	private boolean isInterrupted() {
		return this.workers.isCurrentThreadInterrupted();
	}

	/**
	 * Returns the sink of the store's changes.
	 * @return the sink
	 */
	public DeltaSink<T> sink() {
		return this.queue;
	}

	/**
	 * Starts the workers. Does nothing if they are running.
	 * @param timer the timer that wakes the workers when a retry is due
	 */
	public void start(ScheduledExecutorService timer) {
		this.workers.start(timer);
	}

	/**
	 * Begins to drain the queue: the workers handle waiting events until a time limit.
	 * Events that remain then, and failed events whose retry is not due, are kept for the
	 * next start. Returns immediately.
	 * @param limit the time limit
	 * @return the work that is left; if a callback of this handler calls this method,
	 * this callback is not counted
	 */
	public Remaining drain(Duration limit) {
		return this.workers.drain(limit);
	}

	/**
	 * Waits within the limit of {@link #drain(Duration)} until the workers have ended.
	 * Then interrupts the workers that have not ended. An event that fails because of the
	 * interrupt is kept for the next start. A call from a callback of this handler does
	 * not wait for that callback.
	 */
	public void awaitDrained() {
		this.workers.awaitDrained();
	}

	/**
	 * Waits until the interrupted workers have ended.
	 * @param until the deadline, in the time of {@link System#nanoTime()}
	 */
	public void awaitEnd(long until) {
		this.workers.awaitEnd(until);
	}

	/**
	 * Ends the workers permanently. No more events are accepted; waiting events are
	 * handled within a time limit, then dropped. Failed events are not retried. A call
	 * from a callback of this handler does not wait for that callback.
	 * @param limit the time limit
	 */
	public void close(Duration limit) {
		this.queue.close();
		if (isInCallback()) {
			// Cancel now: a thread that waits for the sync would otherwise wait for the
			// caller.
			this.queue.sync().cancel();
		}
		drain(limit);
		awaitDrained();
		awaitEnd(System.nanoTime() + GRACE.toNanos());
		if (!isInCallback() || this.workers.isTimeOver()) {
			this.queue.clear();
		}
	}

	/**
	 * Ends the workers permanently and at once. No more events are accepted, waiting
	 * events are dropped and the workers are interrupted. Does not wait for them.
	 */
	public void discard() {
		this.queue.close();
		this.workers.discard();
		this.queue.clear();
	}

	/**
	 * Returns whether the calling thread is a worker of this handler, that is, whether
	 * the caller is a callback.
	 * @return {@code true} if the calling thread is a worker
	 */
	public boolean isInCallback() {
		return this.workers.isCurrentThread();
	}

	/**
	 * Pauses or resumes delivery at the request of the application.
	 * @param paused {@code true} to pause; {@code false} to resume
	 */
	public void pause(boolean paused) {
		this.queue.pause(paused);
	}

	/**
	 * Holds events back or releases them, independently of {@link #pause}. Events are
	 * held back, for example, until the caches that the handler reads are synced.
	 * @param held {@code true} to hold events back; {@code false} to release them
	 */
	public void hold(boolean held) {
		this.queue.hold(held);
	}

	/**
	 * Holds events back while this process hands over shard slots to another one. A slot
	 * is a part of the objects, which one process handles. Independent of {@link #pause}
	 * and {@link #hold}.
	 * @param suspended {@code true} to hold events back; {@code false} to release them
	 */
	public void suspend(boolean suspended) {
		this.queue.suspend(suspended);
	}

	/**
	 * Waits until no callback for an object in the given shard slots is running.
	 * @param slots the slots
	 * @param until the deadline, in the time of {@link System#nanoTime()}
	 * @return {@code true} if no such callback is running
	 * @throws InterruptedException if the thread is interrupted
	 */
	public boolean awaitEnd(SlotPredicate slots, long until) throws InterruptedException {
		return this.queue.awaitEnd(slots, until);
	}

	/**
	 * Waits until the handler has finished the initial state.
	 * @param timeout the maximum time to wait
	 * @return {@code true} if the handler is synced; {@code false} after the timeout, or
	 * if the workers end
	 * @throws InterruptedException if the thread is interrupted
	 * @throws IllegalStateException if called from a callback of this handler
	 */
	public boolean awaitSync(Duration timeout) throws InterruptedException {
		if (isInCallback() && !hasSynced()) {
			throw new IllegalStateException(
					"A callback cannot wait for the sync of its own handler: the sync waits for the callback");
		}
		return this.queue.sync().await(timeout);
	}

	/**
	 * Ends current waits for the sync; they return {@code false}.
	 */
	public void endWaits() {
		this.queue.sync().stopping();
		this.queue.sync().started();
	}

	/**
	 * Returns whether the handler has finished the initial state.
	 * @return {@code true} if the handler is synced
	 */
	public boolean hasSynced() {
		return this.queue.sync().isReached();
	}

	/**
	 * Returns the status of the handler.
	 * @return the status at one moment
	 */
	public HandlerStatus status() {
		return this.queue.status(this.invoker);
	}

	/**
	 * Work that is left when the workers begin to drain the queue.
	 *
	 * @param running the number of running callbacks
	 * @param waiting the number of waiting events
	 */
	public record Remaining(int running, int waiting) {

	}

	/**
	 * Context that an informer provides to its handlers.
	 *
	 * @param cluster the name of the cluster
	 * @param threads the factory of the workers' threads
	 * @param nanoTime the clock for retries
	 * @param idle the time after which a worker without events ends; another one is
	 * started for later events
	 * @param log the logging context of deliveries
	 */
	public record Context(String cluster, ThreadFactory threads, LongSupplier nanoTime, Duration idle, LogContext log) {

		private static final Duration IDLE = Duration.ofSeconds(10);

		/**
		 * Creates a context in which workers end after the default time without events.
		 * @param cluster the name of the cluster
		 * @param threads the factory of the workers' threads
		 * @param nanoTime the clock for retries
		 * @param log the logging context of deliveries
		 */
		public Context(String cluster, ThreadFactory threads, LongSupplier nanoTime, LogContext log) {
			this(cluster, threads, nanoTime, IDLE, log);
		}

	}

}
