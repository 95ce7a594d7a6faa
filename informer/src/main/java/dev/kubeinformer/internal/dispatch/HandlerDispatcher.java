package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.store.DeltaSink;
import dev.kubeinformer.types.ObjectKey;

/**
 * Workers of one handler, and the queue between them and the store. A handler that blocks
 * or throws affects no other: an exception is counted and reported, the next event is
 * handled, and the one that failed is tried again as the handler's retry says.
 *
 * @param <T> the model class
 */
public final class HandlerDispatcher<T> {

	/** How long an interrupted worker may take to end before it is left behind. */
	public static final Duration GRACE = Duration.ofMillis(500);

	private final HandlerQueue<T> queue;

	private final HandlerInvoker<T> invoker;

	private final HandlerWorkers<T> workers;

	/**
	 * Creates a dispatcher. No thread runs before
	 * {@link #start(ScheduledExecutorService)}.
	 * @param handler the handler
	 * @param failureHandler takes exceptions
	 * @param listener is notified of the outcome of events
	 * @param options how events are delivered
	 */
	public HandlerDispatcher(DeliveryHandler<T> handler, DeliveryFailureHandler<T> failureHandler,
			DeliveryListener<T> listener, Options options) {
		Recovery recovery = new Recovery();
		this.queue = new HandlerQueue<>(options.capacity(), options.nanoTime(), listener::synced,
				failureHandler::dropped, recovery, options.idle());
		this.invoker = new HandlerInvoker<>(this.queue, handler, failureHandler, listener, options, this::isInterrupted,
				recovery);
		this.workers = new HandlerWorkers<>(this.queue, options.concurrency(), options.threads(), this.invoker::handle,
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
	 * Returns whether events are held back by a pause.
	 * @return whether they are
	 */
	public boolean isPaused() {
		return this.queue.isPaused();
	}

	/**
	 * Waits until the handler has finished the initial state.
	 * @param timeout how long to wait at most
	 * @return whether it has; {@code false} also if the workers are ended meanwhile
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
	 * Ends the waits for the sync that have begun: they return {@code false}.
	 */
	public void endWaits() {
		this.queue.sync().stopping();
		this.queue.sync().started();
	}

	/**
	 * Returns when the handler has finished the initial state.
	 * @return the time, or {@code null} before that
	 */
	public @Nullable Instant syncedAt() {
		return this.queue.sync().syncedAt();
	}

	/**
	 * Returns the number of events of the initial state that are not finished.
	 * @return the number
	 */
	public int pendingInitial() {
		return this.queue.sync().outstanding();
	}

	/**
	 * Returns the figures of the events at this moment.
	 * @return the figures, all of the same instant
	 */
	public HandlerFigures figures() {
		return this.queue.figures();
	}

	/**
	 * Returns the number of events that were handled without an exception.
	 * @return the number
	 */
	public long processed() {
		return this.invoker.processed();
	}

	/**
	 * Returns the number of attempts that threw an exception.
	 * @return the number
	 */
	public long failed() {
		return this.invoker.failed();
	}

	/**
	 * Returns the number of attempts after the first of an event.
	 * @return the number
	 */
	public long retries() {
		return this.invoker.retries();
	}

	/**
	 * Returns the number of events that were given up: they failed, and no further
	 * attempt was due.
	 * @return the number
	 */
	public long exhausted() {
		return this.invoker.exhausted();
	}

	/**
	 * Returns the last exception.
	 * @return the last exception, or {@code null} if there was none
	 */
	public @Nullable LastFailure lastFailure() {
		return this.invoker.lastFailure();
	}

	/**
	 * Returns whether the handler has finished an initial state at least once.
	 * @return whether it ever was synced
	 */
	public boolean everSynced() {
		return this.queue.sync().everSynced();
	}

	/**
	 * Exception of the handler, without its message.
	 *
	 * @param at when it was thrown
	 * @param exception the name of its class
	 * @param key the object
	 */
	public record LastFailure(Instant at, String exception, ObjectKey key) {

	}

	/**
	 * Takes what a handler could not handle.
	 *
	 * @param <T> the model class
	 */
	@FunctionalInterface
	public interface DeliveryFailureHandler<T> {

		/**
		 * Takes one exception.
		 * @param delivery the event
		 * @param cause the exception
		 * @param retry how long the event waits for its next attempt; {@code null} if it
		 * is given up
		 */
		void failed(Delivery<T> delivery, Throwable cause, @Nullable Duration retry);

		/**
		 * Takes an event that a stop interrupted. It waits for the next start, or was
		 * dropped if the dispatcher is closed.
		 * @param delivery the event
		 */
		default void interrupted(Delivery<T> delivery) {
		}

		/**
		 * Takes the number of events that a close dropped. Called outside of locks; it
		 * must not throw.
		 * @param events the number
		 */
		default void dropped(int events) {
		}

	}

	/**
	 * How events are delivered.
	 *
	 * @param concurrency the number of workers
	 * @param capacity the number of events beyond which events of an object are merged
	 * @param retry says whether failed events are tried again
	 * @param threads makes the workers' threads
	 * @param nanoTime the clock of the retries
	 * @param idle how long a worker waits for an event before it ends; another one is
	 * started when there is something to do
	 */
	public record Options(int concurrency, int capacity, DeliveryRetry retry, ThreadFactory threads,
			LongSupplier nanoTime, Duration idle) {

		private static final Duration IDLE = Duration.ofSeconds(10);

		/**
		 * Creates options by which workers end after the usual time without events.
		 * @param concurrency the number of workers
		 * @param capacity the number of events beyond which events of an object are
		 * merged
		 * @param retry says whether failed events are tried again
		 * @param threads makes the workers' threads
		 * @param nanoTime the clock of the retries
		 */
		public Options(int concurrency, int capacity, DeliveryRetry retry, ThreadFactory threads,
				LongSupplier nanoTime) {
			this(concurrency, capacity, retry, threads, nanoTime, IDLE);
		}

	}

}
