package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.store.DeltaSink;
import dev.kubeinformer.types.HandlingOutcome;
import dev.kubeinformer.types.ObjectKey;

/**
 * The workers of one handler and the queue between them and the store. A handler that
 * blocks or throws hurts nobody but itself: an exception is counted and reported, the
 * next event is handled, and the one that failed is tried again as the handler's retry
 * says.
 *
 * @param <T> the model class
 */
public final class HandlerDispatcher<T> {

	/** How long an interrupted worker may take to end before it is left behind. */
	public static final Duration GRACE = Duration.ofMillis(500);

	/** Longer delays are cut, so that times can be compared. */
	private static final Duration LONGEST_DELAY = Duration.ofDays(36_500);

	private final Recovery recovery = new Recovery();

	private final HandlerQueue<T> queue;

	private final DeliveryHandler<T> handler;

	private final DeliveryFailureHandler<T> failureHandler;

	private final DeliveryListener<T> listener;

	private final Options options;

	private final HandlerWorkers<T> workers;

	private final LongAdder processed = new LongAdder();

	private final LongAdder failed = new LongAdder();

	private final LongAdder retries = new LongAdder();

	private final LongAdder exhausted = new LongAdder();

	private volatile @Nullable LastFailure lastFailure;

	/**
	 * Creates a dispatcher. No thread runs before
	 * {@link #start(ScheduledExecutorService)}.
	 * @param handler the handler
	 * @param failureHandler is told of exceptions
	 * @param listener is told what becomes of events
	 * @param options how events are delivered
	 */
	public HandlerDispatcher(DeliveryHandler<T> handler, DeliveryFailureHandler<T> failureHandler,
			DeliveryListener<T> listener, Options options) {
		this.queue = new HandlerQueue<>(options.capacity(), options.nanoTime(), listener::synced,
				failureHandler::dropped, this.recovery);
		this.handler = handler;
		this.failureHandler = failureHandler;
		this.listener = listener;
		this.options = options;
		this.workers = new HandlerWorkers<>(this.queue, options.concurrency(), options.threads(), this::handle,
				this.recovery);
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

	private void handle(PendingDelta<T> pending) {
		Result result = Result.UNDELIVERED;
		try {
			result = isNothing(pending) ? Result.HANDLED : deliver(pending);
		}
		catch (Throwable ex) {
			unexpected(pending, ex);
		}
		finish(pending, result);
	}

	private boolean isNothing(PendingDelta<T> pending) {
		try {
			return pending.isNothing();
		}
		catch (RuntimeException | Error ex) {
			// Objects that cannot be compared are delivered.
			this.recovery.report(ex);
			return false;
		}
	}

	/**
	 * Calls the handler with an event.
	 * @param pending the event
	 * @return what is to become of the event
	 */
	private Result deliver(PendingDelta<T> pending) {
		Delivery<T> delivery = pending.delivery();
		long queued = pending.queuedAt();
		long start = this.options.nanoTime().getAsLong();
		Result result = call(pending, delivery);
		try {
			if (result == Result.HANDLED) {
				this.processed.increment();
			}
			long end = this.options.nanoTime().getAsLong();
			// Before another worker may take the next event of the object.
			if (this.listener.isActive()) {
				this.listener.delivered(delivery, result.outcome(), Duration.ofNanos(start - queued),
						Duration.ofNanos(end - start));
			}
		}
		catch (Throwable ex) {
			// The handler was called: what became of the event is known.
			unexpected(pending, ex);
		}
		return result;
	}

	private Result call(PendingDelta<T> pending, Delivery<T> delivery) {
		if (delivery.attempt() > 1) {
			this.retries.increment();
		}
		try {
			this.handler.handle(delivery);
			return Result.HANDLED;
		}
		catch (Throwable ex) {
			return failed(pending, delivery, ex);
		}
	}

	/**
	 * Something failed beside the handler, such as for want of memory.
	 * @param pending the event in work
	 * @param cause what was thrown
	 */
	private void unexpected(PendingDelta<T> pending, Throwable cause) {
		this.recovery.report(cause);
		this.recovery.insist(() -> failedOn(pending, cause), () -> false);
	}

	private void failedOn(PendingDelta<T> pending, Throwable cause) {
		this.lastFailure = new LastFailure(Instant.now(), cause.getClass().getName(), pending.key());
	}

	/**
	 * Reports to the queue what is to become of an event: as often as it takes, or the
	 * object would be taken for busy for ever.
	 * @param pending the event
	 * @param result what is to become of it
	 */
	private void finish(PendingDelta<T> pending, Result result) {
		this.recovery.insist(() -> {
			switch (result.outcome()) {
				case HANDLED, EXHAUSTED -> this.queue.finished(pending);
				case RETRY -> this.queue.failed(pending, result.delay());
				case INTERRUPTED -> this.queue.interrupted(pending, result.delay());
			}
		}, () -> true);
		this.listener.settled();
	}

	/**
	 * Counts and reports a failure.
	 * @param pending the event
	 * @param delivery the event as the handler was told of it
	 * @param cause the exception
	 * @return what is to become of the event
	 */
	private Result failed(PendingDelta<T> pending, Delivery<T> delivery, Throwable cause) {
		if (this.workers.isCurrentThreadInterrupted()) {
			interrupted(delivery, cause);
			return Result.INTERRUPTED;
		}
		this.failed.increment();
		failedOn(pending, cause);
		Duration retry = delay(delivery.attempt(), cause);
		if (retry == null) {
			this.exhausted.increment();
		}
		else if (pending.isAwaitedBySync() && pending.failures() >= delivery.attempt()
				&& delay(pending.failures() + 1, cause) == null) {
			// What changes sooner than its retries end must not hold up the sync.
			this.queue.finishedForSync(pending);
		}
		report(delivery, cause, retry);
		return (retry != null) ? new Result(HandlingOutcome.RETRY, retry) : Result.EXHAUSTED;
	}

	private @Nullable Duration delay(int failures, Throwable cause) {
		try {
			Duration delay = this.options.retry().delay(failures, cause);
			if (delay == null || delay.isNegative()) {
				return (delay != null) ? Duration.ZERO : null;
			}
			return (delay.compareTo(LONGEST_DELAY) < 0) ? delay : LONGEST_DELAY;
		}
		catch (Throwable ex) {
			suppress(cause, ex);
			return null;
		}
	}

	private void report(Delivery<T> delivery, Throwable cause, @Nullable Duration retry) {
		try {
			this.failureHandler.failed(delivery, cause, retry);
		}
		catch (Throwable ex) {
			suppress(cause, ex);
		}
	}

	/**
	 * The time of a stop was over before the handler was done: that is no failure of the
	 * handler's, and the event is for the next start.
	 * @param delivery the event
	 * @param cause the exception
	 */
	private void interrupted(Delivery<T> delivery, Throwable cause) {
		try {
			this.failureHandler.interrupted(delivery);
		}
		catch (Throwable ex) {
			suppress(cause, ex);
		}
	}

	private static void suppress(Throwable cause, Throwable second) {
		if (second != cause) {
			cause.addSuppressed(second);
		}
	}

	/**
	 * Whether the calling thread is a worker of this handler, so that its caller is a
	 * callback.
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
	 * Whether events are held back by a pause.
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
	 * Sends those away who wait for the sync now.
	 */
	public void endWaits() {
		this.queue.sync().stopping();
		this.queue.sync().started();
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
	 * What is with the events now.
	 * @return the figures, all of the same instant
	 */
	public HandlerFigures figures() {
		return this.queue.figures();
	}

	/**
	 * Number of events that wait.
	 * @return the number
	 */
	public int queueSize() {
		return figures().waiting();
	}

	/**
	 * Number of events that were merged into another.
	 * @return the number
	 */
	public long merged() {
		return figures().merged();
	}

	/**
	 * Number of events that were handled without an exception.
	 * @return the number
	 */
	public long processed() {
		return this.processed.sum();
	}

	/**
	 * Number of attempts that threw an exception.
	 * @return the number
	 */
	public long failed() {
		return this.failed.sum();
	}

	/**
	 * Number of attempts after the first of an event.
	 * @return the number
	 */
	public long retries() {
		return this.retries.sum();
	}

	/**
	 * Number of events that were given up: they failed, and no further attempt was due.
	 * @return the number
	 */
	public long exhausted() {
		return this.exhausted.sum();
	}

	/**
	 * Number of events that wait after a failure.
	 * @return the number
	 */
	public int waitingForRetry() {
		return figures().retrying();
	}

	/**
	 * Number of events that were dropped because the dispatcher was closed.
	 * @return the number
	 */
	public long dropped() {
		return figures().dropped();
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
		return figures().handling();
	}

	/**
	 * Whether the handler has finished an initial state at least once.
	 * @return whether it ever was synced
	 */
	public boolean everSynced() {
		return this.queue.sync().everSynced();
	}

	/**
	 * What is to become of an event that was handed to the handler.
	 *
	 * @param outcome how the call ended
	 * @param delay how long the event waits for the next attempt, if any
	 */
	private record Result(HandlingOutcome outcome, Duration delay) {

		static final Result HANDLED = new Result(HandlingOutcome.HANDLED, Duration.ZERO);

		static final Result EXHAUSTED = new Result(HandlingOutcome.EXHAUSTED, Duration.ZERO);

		static final Result INTERRUPTED = new Result(HandlingOutcome.INTERRUPTED, Duration.ZERO);

		/** The handler was not called, for want of something else. */
		static final Result UNDELIVERED = new Result(HandlingOutcome.INTERRUPTED, Duration.ofSeconds(1));

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
	 */
	public record Options(int concurrency, int capacity, DeliveryRetry retry, ThreadFactory threads,
			LongSupplier nanoTime) {

	}

}
