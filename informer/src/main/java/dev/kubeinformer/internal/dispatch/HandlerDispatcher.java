package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerStatus;
import dev.kubeinformer.internal.store.DeltaSink;

/**
 * Workers of one handler, and the queue between them and the store. A handler that blocks
 * or throws affects no other: an exception is counted and reported, the next event is
 * handled, and the one that failed is tried again as the handler's retry says.
 *
 * @param <T> the model class
 */
public final class HandlerDispatcher<T extends KubernetesObject> {

	/** How long an interrupted worker may take to end before it is left behind. */
	public static final Duration GRACE = Duration.ofMillis(500);

	private final HandlerQueue<T> queue;

	private final HandlerInvoker<T> invoker;

	private final HandlerWorkers<T> workers;

	/**
	 * Creates a dispatcher. No thread runs before
	 * {@link #start(ScheduledExecutorService)}.
	 * @param handler the handler
	 * @param options how events are delivered
	 * @param listener is notified of the outcome of events
	 * @param context what the handler has of its informer
	 */
	public HandlerDispatcher(EventHandler<T> handler, HandlerOptions options, DeliveryListener<T> listener,
			Context context) {
		Recovery recovery = new Recovery();
		this.queue = new HandlerQueue<>(options.queueCapacity(), context.nanoTime(), listener::synced,
				listener::dropped, recovery, context.idle());
		this.invoker = new HandlerInvoker<>(this.queue, handler, options.retry(), listener, context,
				this::isInterrupted, recovery);
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
	 * Starts the workers. Does nothing if they run.
	 * @param timer wakes them when a retry is due
	 */
	public void start(ScheduledExecutorService timer) {
		this.workers.start(timer);
	}

	/**
	 * Lets the workers end: events that wait are handled up to a limit, what is left then
	 * stays for the next start, and so do failed events whose retry is not due. Returns
	 * at once.
	 * @param limit the limit
	 */
	public void drain(Duration limit) {
		this.workers.drain(limit);
	}

	/**
	 * Waits until the workers have ended after {@link #drain(Duration)}, as long as its
	 * limit allows, and interrupts those that did not; an event that fails by that stays
	 * for the next start. Called from a callback of this handler, it does not wait for
	 * that callback.
	 */
	public void awaitDrained() {
		this.workers.awaitDrained();
	}

	/**
	 * Waits until the workers that were interrupted have ended.
	 * @param until how long to wait at most, as by {@link System#nanoTime()}
	 */
	public void awaitEnd(long until) {
		this.workers.awaitEnd(until);
	}

	/**
	 * Ends the workers for good: no more events are taken, those that wait are handled up
	 * to a limit, and dropped after it. Failed events are not tried again. Called from a
	 * callback of this handler, it does not wait for that callback.
	 * @param limit the limit
	 */
	public void close(Duration limit) {
		this.queue.close();
		if (isInCallback()) {
			// Those who wait for the sync would wait for the caller.
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
	 * Ends the workers for good and at once: no more events are taken, those that wait
	 * are dropped, and the workers are interrupted. Waits for none of them.
	 */
	public void discard() {
		this.queue.close();
		this.workers.discard();
		this.queue.clear();
	}

	/**
	 * Returns whether the calling thread is a worker of this handler, so that its caller
	 * is a callback.
	 * @return whether it is
	 */
	public boolean isInCallback() {
		return this.workers.isCurrentThread();
	}

	/**
	 * Holds events back, or lets them go on.
	 * @param paused whether to hold them back
	 */
	public void pause(boolean paused) {
		this.queue.pause(paused);
	}

	/**
	 * Holds events back, or lets them go on, independently of a pause: that is the
	 * user's.
	 * @param held whether to hold them back
	 */
	public void hold(boolean held) {
		this.queue.hold(held);
	}

	/**
	 * Waits until the handler has finished the initial state.
	 * @param timeout how long to wait at most
	 * @return whether it has; {@code false} also if the workers are ended meanwhile
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
	 * Ends the waits for the sync that have begun: they return {@code false}.
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
	 * Returns the state of the handler.
	 * @return the state at one instant
	 */
	public HandlerStatus status() {
		return this.queue.status(this.invoker);
	}

	/**
	 * What a handler has of its informer.
	 *
	 * @param cluster the name of the cluster
	 * @param threads makes the workers' threads
	 * @param nanoTime the clock of the retries
	 * @param idle how long a worker waits for an event before it ends; another one is
	 * started when there is something to do
	 */
	public record Context(String cluster, ThreadFactory threads, LongSupplier nanoTime, Duration idle) {

		private static final Duration IDLE = Duration.ofSeconds(10);

		/**
		 * Creates a context in which workers end after the usual time without events.
		 * @param cluster the name of the cluster
		 * @param threads makes the workers' threads
		 * @param nanoTime the clock of the retries
		 */
		public Context(String cluster, ThreadFactory threads, LongSupplier nanoTime) {
			this(cluster, threads, nanoTime, IDLE);
		}

	}

}
