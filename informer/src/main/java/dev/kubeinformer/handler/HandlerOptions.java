package dev.kubeinformer.handler;

import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.spi.DeliveryFence;
import dev.kubeinformer.spi.DeliveryGate;

/**
 * Options for the delivery of events to one handler. Immutable; the {@code with} methods
 * return changed copies.
 */
public final class HandlerOptions {

	/**
	 * Default number of pending events above which events of the same object are merged.
	 */
	public static final int DEFAULT_QUEUE_CAPACITY = 10_000;

	private static final HandlerOptions DEFAULTS = new HandlerOptions(new Values());

	/** Values of the options. Never changed after construction. */
	private final Values values;

	private HandlerOptions(Values values) {
		this.values = values;
	}

	/**
	 * Returns the default options: a generated id, no resync, one event at a time, no
	 * retry.
	 * @return the defaults
	 */
	public static HandlerOptions defaults() {
		return DEFAULTS;
	}

	private HandlerOptions with(Consumer<Values> change) {
		Values changed = this.values.copy();
		change.accept(changed);
		return new HandlerOptions(changed);
	}

	/**
	 * Sets the id of the handler, which appears in thread names, logs and status.
	 * @param id the id
	 * @return a copy with that id
	 */
	public HandlerOptions withId(String id) {
		return with((copy) -> copy.id = id);
	}

	/**
	 * Sets the period in which every cached object is delivered again as an update with
	 * equal old and new object. A resync sends no request to the API server.
	 * @param resync the period; zero for none
	 * @return a copy with that period
	 * @throws IllegalArgumentException if the period is negative, or is shorter than a
	 * millisecond but not zero
	 */
	public HandlerOptions withResync(Duration resync) {
		if (resync.isNegative() || (!resync.isZero() && resync.compareTo(Duration.ofMillis(1)) < 0)) {
			throw new IllegalArgumentException("Resync period '%s' must be zero or at least 1ms".formatted(resync));
		}
		return with((copy) -> copy.resync = Durations.countable(resync));
	}

	/**
	 * Sets the maximum number of objects whose events are handled concurrently.
	 * @param concurrency the number of workers, at least 1
	 * @return a copy with that concurrency
	 * @throws IllegalArgumentException if the number is below 1
	 */
	public HandlerOptions withConcurrency(int concurrency) {
		if (concurrency < 1) {
			throw new IllegalArgumentException("Concurrency '%d' must be at least 1".formatted(concurrency));
		}
		return with((copy) -> copy.concurrency = concurrency);
	}

	/**
	 * Sets the number of pending events above which events of the same object are merged.
	 * @param queueCapacity the number of events, at least 1
	 * @return a copy with that capacity
	 * @throws IllegalArgumentException if the number is below 1
	 */
	public HandlerOptions withQueueCapacity(int queueCapacity) {
		if (queueCapacity < 1) {
			throw new IllegalArgumentException("Queue capacity '%d' must be at least 1".formatted(queueCapacity));
		}
		return with((copy) -> copy.queueCapacity = queueCapacity);
	}

	/**
	 * Sets the time limit for handling pending events when the handler is removed or its
	 * informer stops. After this time, the workers are interrupted. The remaining events
	 * are dropped if the handler was removed, and kept for the next start if the informer
	 * was stopped. Retries that are not due yet are not awaited.
	 * @param drainTimeout the limit; zero to drop pending events at once
	 * @return a copy with that limit
	 * @throws IllegalArgumentException if the limit is negative
	 */
	public HandlerOptions withDrainTimeout(Duration drainTimeout) {
		if (drainTimeout.isNegative()) {
			throw new IllegalArgumentException("Drain timeout '%s' must not be negative".formatted(drainTimeout));
		}
		return with((copy) -> copy.drainTimeout = Durations.countable(drainTimeout));
	}

	/**
	 * Sets the backoff, which decides whether and when a failed event is delivered again.
	 * Until then, the handler receives no other event of the same object; events of other
	 * objects are not affected. Later events of the object are merged into the waiting
	 * one.
	 * @param retry the backoff, such as
	 * {@link RetryBackoff#exponential(int, Duration, double, Duration, Duration)}
	 * @return a copy with that backoff
	 */
	public HandlerOptions withRetry(RetryBackoff retry) {
		return with((copy) -> copy.retry = retry);
	}

	/**
	 * Sets the handler of exhausted events: events on which the handler failed and that
	 * are not retried any more. Without a retry, every failed event is exhausted.
	 * @param exhausted the handler of exhausted events
	 * @return a copy with that handler of exhausted events
	 */
	public HandlerOptions withExhausted(ExhaustedHandler exhausted) {
		return with((copy) -> copy.exhausted = exhausted);
	}

	/**
	 * Sets the factory of the worker threads, such as a factory of virtual threads. The
	 * threads are named after the handler. An idle thread ends after a while, and the
	 * factory creates a new one for later events. The factory is called on a thread that
	 * all informers share, so it must not block.
	 * @param threadFactory the factory
	 * @return a copy with that factory
	 */
	public HandlerOptions withThreadFactory(ThreadFactory threadFactory) {
		return with((copy) -> copy.threadFactory = threadFactory);
	}

	/**
	 * Sets the gate that holds events back until it is opened. For integrations; not a
	 * stable API.
	 * @param gate the gate; {@code null} for none
	 * @return a copy with that gate
	 */
	public HandlerOptions withGate(@Nullable DeliveryGate gate) {
		return with((copy) -> copy.gate = gate);
	}

	/**
	 * Delivers events only while this process leads, as decided by a {@link Leadership}.
	 * The informer fills its cache on every replica; a leader-only handler joins it
	 * during the terms of this process.
	 * <ul>
	 * <li>When a term begins, every cached object is delivered as an addition marked
	 * {@link ResourceEvent#initial()}, then every change, as if the handler had just been
	 * added. Changes and deletions during another replica's term are not delivered.
	 * {@link dev.kubeinformer.informer.Informer#handlers()} contains the handler, and
	 * listeners are notified of it, only during terms.
	 * <li>A term that ends in an orderly way is drained: no more events are queued, and
	 * pending events are handled within the {@link #withDrainTimeout(Duration) drain
	 * timeout} while the Lease is still renewed. The Lease is not released while an event
	 * is being handled, even after {@link HandlerRegistration#close()}.
	 * <li>A term that is lost ends at once: pending events are dropped and the threads of
	 * the handler are interrupted. No event is delivered once the term has expired by the
	 * clocks, even before the loss is reported. Exceptions of the handler after the end
	 * of the term do not count as failures.
	 * <li>Each term has its own threads. A handler that ignores an interrupt may still be
	 * busy when the next term of this process begins.
	 * <li>Retries and the {@link #withResync(Duration) resync} belong to a term: an event
	 * that waits for a retry is dropped when the term ends, and the resync period
	 * restarts with the next term.
	 * <li>While this process does not lead, the handler counts as synced when its
	 * informer is synced. A replica waits for that informer before it stands for
	 * election. A pause continues across terms until
	 * {@link HandlerRegistration#resume()}.
	 * </ul>
	 * Requests that the handler sends are not fenced: a request in flight when a term
	 * ends may still take effect.
	 * @param leadership the leadership; {@code null} to deliver events on every replica
	 * @return a copy with that leadership
	 * @see HandlerRegistration#isStandby()
	 */
	public HandlerOptions withLeadership(@Nullable Leadership leadership) {
		return with((copy) -> copy.leadership = leadership);
	}

	/**
	 * Sets the fence, which is told the leader's term of each delivery to a leader-only
	 * handler. For integrations; not a stable API.
	 * @param fence the fence; {@code null} for none
	 * @return a copy with that fence
	 */
	public HandlerOptions withFence(@Nullable DeliveryFence fence) {
		return with((copy) -> copy.fence = fence);
	}

	/**
	 * Sets the observer of the deliveries, such as for tracing.
	 * @param observer the observer; {@code null} for none
	 * @return a copy with that observer
	 */
	public HandlerOptions withObserver(@Nullable DeliveryObserver observer) {
		return with((copy) -> copy.observer = observer);
	}

	/**
	 * Returns the id of the handler.
	 * @return the id, or {@code null} for a generated one
	 */
	public @Nullable String id() {
		return this.values.id;
	}

	/**
	 * Returns the period of the resync.
	 * @return the period; zero for none
	 */
	public Duration resync() {
		return this.values.resync;
	}

	/**
	 * Returns the number of workers.
	 * @return the concurrency
	 */
	public int concurrency() {
		return this.values.concurrency;
	}

	/**
	 * Returns the number of pending events above which events of the same object are
	 * merged.
	 * @return the capacity
	 */
	public int queueCapacity() {
		return this.values.queueCapacity;
	}

	/**
	 * Returns the time limit for handling pending events when the handler is removed or
	 * its informer stops.
	 * @return the limit
	 */
	public Duration drainTimeout() {
		return this.values.drainTimeout;
	}

	/**
	 * Returns whether and when failed events are delivered again.
	 * @return the backoff
	 */
	public RetryBackoff retry() {
		return this.values.retry;
	}

	/**
	 * Returns the handler of exhausted events.
	 * @return the handler of exhausted events
	 */
	public ExhaustedHandler exhausted() {
		return this.values.exhausted;
	}

	/**
	 * Returns the factory of the worker threads.
	 * @return the factory
	 */
	public ThreadFactory threadFactory() {
		return this.values.threadFactory;
	}

	/**
	 * Returns the gate that holds events back until it is opened.
	 * @return the gate; {@code null} for none
	 */
	public @Nullable DeliveryGate gate() {
		return this.values.gate;
	}

	/**
	 * Returns the leadership that decides whether events are delivered.
	 * @return the leadership; {@code null} if events are delivered on every replica
	 */
	public @Nullable Leadership leadership() {
		return this.values.leadership;
	}

	/**
	 * Returns the fence, which is told the leader's term of each delivery.
	 * @return the fence; {@code null} for none
	 */
	public @Nullable DeliveryFence fence() {
		return this.values.fence;
	}

	/**
	 * Returns the observer of the deliveries.
	 * @return the observer; {@code null} for none
	 */
	public @Nullable DeliveryObserver observer() {
		return this.values.observer;
	}

	/**
	 * Values of the options, with their defaults.
	 */
	private static final class Values implements Cloneable {

		private @Nullable String id;

		private Duration resync = Duration.ZERO;

		private int concurrency = 1;

		private int queueCapacity = DEFAULT_QUEUE_CAPACITY;

		private Duration drainTimeout = Duration.ofSeconds(20);

		private RetryBackoff retry = RetryBackoff.none();

		private ExhaustedHandler exhausted = (event, cause) -> {
		};

		private ThreadFactory threadFactory = Thread::new;

		private @Nullable DeliveryGate gate;

		private @Nullable Leadership leadership;

		private @Nullable DeliveryFence fence;

		private @Nullable DeliveryObserver observer;

		Values copy() {
			try {
				return (Values) clone();
			}
			catch (CloneNotSupportedException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
