package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.HandledEvent;
import dev.kubeinformer.handler.HandlerStatus;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.handler.RetryBackoff;
import dev.kubeinformer.internal.text.PrintableText;
import dev.kubeinformer.types.HandlingOutcome;

/**
 * Calls of a handler with the events of its queue: whatever is thrown is counted and
 * reported, and the outcome is reported to the queue. Used by the workers.
 *
 * @param <T> the model class
 */
final class HandlerInvoker<T extends KubernetesObject> {

	/** Longer delays are cut, so that times can be compared. */
	private static final Duration LONGEST_DELAY = Duration.ofDays(36_500);

	private final HandlerQueue<T> queue;

	private final EventHandler<T> handler;

	private final RetryBackoff retry;

	private final DeliveryListener<T> listener;

	private final String cluster;

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
	 * @param queue where events come from
	 * @param handler the handler
	 * @param retry decides whether and when a failed event is tried again
	 * @param listener is notified of the outcome of events
	 * @param context what the handler has of its informer
	 * @param interrupted whether the calling worker was interrupted because its time to
	 * end was over
	 * @param recovery takes what fails beside the handler
	 */
	HandlerInvoker(HandlerQueue<T> queue, EventHandler<T> handler, RetryBackoff retry, DeliveryListener<T> listener,
			HandlerDispatcher.Context context, BooleanSupplier interrupted, Recovery recovery) {
		this.queue = queue;
		this.handler = handler;
		this.retry = retry;
		this.listener = listener;
		this.cluster = context.cluster();
		this.nanoTime = context.nanoTime();
		this.interrupted = interrupted;
		this.recovery = recovery;
	}

	/**
	 * Handles an event that was handed out, and reports its end to the queue whatever
	 * happens.
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
			// Objects that cannot be compared are delivered.
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
		long queued = pending.queuedAt();
		long start = this.nanoTime.getAsLong();
		Result result = call(pending, event);
		try {
			if (result == Result.HANDLED) {
				this.processed.increment();
			}
			long end = this.nanoTime.getAsLong();
			// Before another worker may take the next event of the object.
			if (this.listener.isActive()) {
				this.listener.handled(new HandledEvent(event.type(), event.attempt(), Duration.ofNanos(start - queued),
						Duration.ofNanos(end - start), result.outcome()));
			}
		}
		catch (Throwable ex) {
			// The handler was called: what became of the event is known.
			unexpected(pending, ex);
		}
		return result;
	}

	private Result call(PendingDelta<T> pending, ResourceEvent<T> event) {
		if (event.attempt() > 1) {
			this.retries.increment();
		}
		try {
			this.handler.handle(event);
			return Result.HANDLED;
		}
		catch (Throwable ex) {
			return failed(pending, event, ex);
		}
	}

	/**
	 * Reports what failed beside the handler, such as for want of memory.
	 * @param pending the event in work
	 * @param cause what was thrown
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
	 * Reports the outcome of an event to the queue: as often as it takes, or the object
	 * would be taken for busy for ever.
	 * @param pending the event
	 * @param result the outcome
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
			// What changes sooner than its retries end must not hold up the sync.
			this.queue.finishedForSync(pending);
		}
		report(pending, event, cause, retry);
		return (retry != null) ? new Result(HandlingOutcome.RETRY, retry) : Result.EXHAUSTED;
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
	 * Reports that the time of a stop was over before the handler was done: that is no
	 * failure of the handler, and the event is for the next start.
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
	 * Outcome of an event that was handed to the handler.
	 *
	 * @param outcome how the call ended
	 * @param delay how long the event waits for the next attempt, if any
	 */
	private record Result(HandlingOutcome outcome, Duration delay) {

		static final Result HANDLED = new Result(HandlingOutcome.HANDLED, Duration.ZERO);

		static final Result EXHAUSTED = new Result(HandlingOutcome.EXHAUSTED, Duration.ZERO);

		static final Result INTERRUPTED = new Result(HandlingOutcome.INTERRUPTED, Duration.ZERO);

		/** The handler was not called, because something else failed. */
		static final Result UNDELIVERED = new Result(HandlingOutcome.INTERRUPTED, Duration.ofSeconds(1));

	}

}
