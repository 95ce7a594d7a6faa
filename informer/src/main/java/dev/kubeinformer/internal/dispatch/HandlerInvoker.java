package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.handler.DeliveryObserver;
import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.HandledEvent;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerStatus;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.handler.RetryBackoff;
import dev.kubeinformer.internal.text.LogContext;
import dev.kubeinformer.internal.text.PrintableText;
import dev.kubeinformer.types.HandlingOutcome;

/**
 * Calls a handler with the events of its queue. Counts and reports exceptions, and
 * reports each outcome to the queue. Used by the workers.
 *
 * @param <T> the model class
 */
final class HandlerInvoker<T extends KubernetesObject> {

	/** Upper bound for delays, so that times in nanoseconds cannot overflow. */
	private static final Duration LONGEST_DELAY = Duration.ofDays(36_500);

	private final HandlerQueue<T> queue;

	private final EventHandler<T> handler;

	private final RetryBackoff retry;

	private final @Nullable DeliveryObserver observer;

	private final DeliveryListener<T> listener;

	private final String cluster;

	private final LogContext log;

	private final LongSupplier nanoTime;

	private final BooleanSupplier interrupted;

	private final Recovery recovery;

	private final LongAdder processed = new LongAdder();

	private final LongAdder failed = new LongAdder();

	private final LongAdder retries = new LongAdder();

	private final LongAdder exhausted = new LongAdder();

	private volatile HandlerStatus.@Nullable Failure lastFailure;

	/**
	 * Creates an invoker.
	 * @param queue the source of events
	 * @param handler the handler
	 * @param options the options of the delivery
	 * @param listener the listener to the outcomes of events
	 * @param context the context that the informer provides
	 * @param interrupted returns whether the calling worker was interrupted because the
	 * drain timeout has expired
	 * @param recovery the recovery from failures outside the handler
	 */
	HandlerInvoker(HandlerQueue<T> queue, EventHandler<T> handler, HandlerOptions options, DeliveryListener<T> listener,
			HandlerDispatcher.Context context, BooleanSupplier interrupted, Recovery recovery) {
		this.queue = queue;
		this.handler = handler;
		this.retry = options.retry();
		this.observer = options.observer();
		this.listener = listener;
		this.cluster = context.cluster();
		this.log = context.log();
		this.nanoTime = context.nanoTime();
		this.interrupted = interrupted;
		this.recovery = recovery;
	}

	/**
	 * Handles an event of the queue, and always reports its end to the queue.
	 * @param pending the event
	 */
	void handle(PendingDelta<T> pending) {
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
			// Deliver an object that cannot be compared.
			this.recovery.report(ex);
			return false;
		}
	}

	/**
	 * Calls the handler with an event.
	 * @param pending the event
	 * @return the outcome
	 */
	private Result deliver(PendingDelta<T> pending) {
		ResourceEvent<T> event = pending.event(this.cluster);
		LogContext.Scope logged = this.log.open(pending.key().namespace(), pending.key().name(), event.attempt());
		try {
			return deliver(pending, event);
		}
		finally {
			logged.close();
		}
	}

	private Result deliver(PendingDelta<T> pending, ResourceEvent<T> event) {
		DeliveryObserver.Scope scope = observe(event);
		try {
			return deliver(pending, event, scope);
		}
		finally {
			if (scope != null) {
				guard(scope::close);
			}
		}
	}

	private DeliveryObserver.@Nullable Scope observe(ResourceEvent<T> event) {
		DeliveryObserver present = this.observer;
		try {
			return (present != null) ? present.delivering(event) : null;
		}
		catch (Throwable ex) {
			observerFailed(ex);
			return null;
		}
	}

	private void guard(Runnable call) {
		try {
			call.run();
		}
		catch (Throwable ex) {
			observerFailed(ex);
		}
	}

	private void observerFailed(Throwable cause) {
		try {
			this.listener.observerFailed(cause);
		}
		catch (Throwable ex) {
			this.recovery.report(ex);
		}
	}

	private Result deliver(PendingDelta<T> pending, ResourceEvent<T> event, DeliveryObserver.@Nullable Scope scope) {
		long queued = pending.queuedAt();
		long start = this.nanoTime.getAsLong();
		Result result = call(pending, event, scope);
		try {
			if (result == Result.HANDLED) {
				this.processed.increment();
			}
			long end = this.nanoTime.getAsLong();
			// Notify before another worker can receive the next event of the object.
			if (this.listener.isActive()) {
				this.listener.handled(new HandledEvent(event.type(), event.attempt(), Duration.ofNanos(start - queued),
						Duration.ofNanos(end - start), result.outcome()));
			}
		}
		catch (Throwable ex) {
			// The handler was called, so the outcome of the event is known.
			unexpected(pending, ex);
		}
		return result;
	}

	private Result call(PendingDelta<T> pending, ResourceEvent<T> event, DeliveryObserver.@Nullable Scope scope) {
		if (event.attempt() > 1) {
			this.retries.increment();
		}
		try {
			this.handler.handle(event);
		}
		catch (TermOverException ex) {
			Throwable failure = ex.getCause();
			if (scope != null && failure != null) {
				guard(() -> scope.handled(failure));
			}
			return Result.OVER;
		}
		catch (Throwable ex) {
			if (scope != null) {
				guard(() -> scope.handled(ex));
			}
			return failed(pending, event, ex);
		}
		if (scope != null) {
			guard(() -> scope.handled(null));
		}
		return Result.HANDLED;
	}

	/**
	 * Reports a failure outside the handler, such as an {@code OutOfMemoryError}.
	 * @param pending the event in progress
	 * @param cause the failure
	 */
	private void unexpected(PendingDelta<T> pending, Throwable cause) {
		this.recovery.report(cause);
		this.recovery.insist(() -> failedOn(pending, cause), () -> false);
	}

	private void failedOn(PendingDelta<T> pending, Throwable cause) {
		this.lastFailure = new HandlerStatus.Failure(Instant.now(), cause.getClass().getName(),
				PrintableText.of(pending.key().toString()));
	}

	/**
	 * Reports the outcome of an event to the queue. Repeats this until it succeeds,
	 * because otherwise the object would count as busy permanently.
	 * @param pending the event
	 * @param result the outcome
	 */
	private void finish(PendingDelta<T> pending, Result result) {
		this.recovery.insist(() -> {
			if (result.last()) {
				this.queue.finished(pending);
			}
			else if (result.outcome() == HandlingOutcome.RETRY) {
				this.queue.failed(pending, result.delay());
			}
			else {
				this.queue.interrupted(pending, result.delay());
			}
		}, () -> true);
		this.listener.settled();
	}

	/**
	 * Counts and reports a failure.
	 * @param pending the event
	 * @param event the event as it was delivered
	 * @param cause the exception
	 * @return the outcome
	 */
	private Result failed(PendingDelta<T> pending, ResourceEvent<T> event, Throwable cause) {
		if (this.interrupted.getAsBoolean()) {
			interrupted(pending, event, cause);
			return Result.INTERRUPTED;
		}
		this.failed.increment();
		failedOn(pending, cause);
		Duration retry = delay(event.attempt(), cause);
		if (retry == null) {
			this.exhausted.increment();
		}
		else if (pending.isAwaitedBySync() && pending.failures() >= event.attempt()
				&& delay(pending.failures() + 1, cause) == null) {
			// Release the sync, because an object may change again before its retries are
			// exhausted, and must not block the sync.
			this.queue.finishedForSync(pending);
		}
		report(pending, event, cause, retry);
		return (retry != null) ? new Result(HandlingOutcome.RETRY, retry, false) : Result.EXHAUSTED;
	}

	private @Nullable Duration delay(int failures, Throwable cause) {
		try {
			Duration delay = this.retry.delay(failures, cause);
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

	private void report(PendingDelta<T> pending, ResourceEvent<T> event, Throwable cause, @Nullable Duration retry) {
		try {
			this.listener.failed(event, pending.key(), cause, retry);
		}
		catch (Throwable ex) {
			suppress(cause, ex);
		}
	}

	/**
	 * Reports that the handler was interrupted because it did not return before the drain
	 * timeout. This is not a failure of the handler; the event is kept for the next
	 * start.
	 * @param pending the event
	 * @param event the event as it was delivered
	 * @param cause the exception
	 */
	private void interrupted(PendingDelta<T> pending, ResourceEvent<T> event, Throwable cause) {
		try {
			this.listener.interrupted(event, pending.key());
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

	HandlerStatus.Deliveries deliveries() {
		return new HandlerStatus.Deliveries(this.processed.sum(), this.failed.sum(), this.retries.sum(),
				this.exhausted.sum());
	}

	HandlerStatus.@Nullable Failure lastFailure() {
		return this.lastFailure;
	}

	/**
	 * Outcome of one delivery.
	 *
	 * @param outcome the outcome of the call
	 * @param delay the delay before the next attempt, if there is one
	 * @param last whether the event is not delivered again
	 */
	private record Result(HandlingOutcome outcome, Duration delay, boolean last) {

		static final Result HANDLED = new Result(HandlingOutcome.HANDLED, Duration.ZERO, true);

		static final Result EXHAUSTED = new Result(HandlingOutcome.EXHAUSTED, Duration.ZERO, true);

		static final Result INTERRUPTED = new Result(HandlingOutcome.INTERRUPTED, Duration.ZERO, false);

		/** Result of an event that is dropped, because the term of the leader is over. */
		static final Result OVER = new Result(HandlingOutcome.INTERRUPTED, Duration.ZERO, true);

		/**
		 * Result of an event for which the handler was not called, because something else
		 * failed.
		 */
		static final Result UNDELIVERED = new Result(HandlingOutcome.INTERRUPTED, Duration.ofSeconds(1), false);

	}

}
