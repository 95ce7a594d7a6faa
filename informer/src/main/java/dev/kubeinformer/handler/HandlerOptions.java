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
 * How events are delivered to one handler. Immutable; the {@code with} methods return
 * changed copies.
 */
public final class HandlerOptions {

	/**
	 * Number of pending events after which events of the same object are merged.
	 */
	public static final int DEFAULT_QUEUE_CAPACITY = 10_000;

	private static final HandlerOptions DEFAULTS = new HandlerOptions(new Values());

	/** Never changed once it is here. */
	private final Values values;

	private HandlerOptions(Values values) {
		this.values = values;
	}

	/**
	 * Returns the options of a handler that asked for nothing: a generated id, no resync,
	 * one event at a time, no retry.
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
	 * Names the handler in threads, logs and states.
	 * @param id the id
	 * @return a copy with that id
	 */
	public HandlerOptions withId(String id) {
		return with((copy) -> copy.id = id);
	}

	/**
	 * Sets the period in which every cached object is delivered again as an update with
	 * equal old and new object. It costs no request to the API server.
	 * @param resync the period; zero for none
	 * @return a copy with that period
	 * @throws IllegalArgumentException if the period is negative or above zero and below
	 * a millisecond
	 */
	public HandlerOptions withResync(Duration resync) {
		if (resync.isNegative() || (!resync.isZero() && resync.compareTo(Duration.ofMillis(1)) < 0)) {
			throw new IllegalArgumentException("Resync period '%s' must be zero or at least 1ms".formatted(resync));
		}
		return with((copy) -> copy.resync = Durations.countable(resync));
	}

	/**
	 * Sets how many events, of different objects, are handled at once.
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
	 * Sets the number of pending events after which events of the same object are merged.
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
	 * Sets how long pending events may still be handled when the handler is removed or
	 * its informer stopped. After that its workers are interrupted; what is left is
	 * dropped when the handler is removed, and stays for the next start of a stopped
	 * informer. Retries that are not due yet are not waited for.
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
	 * Sets whether and when an event that the handler failed on is handed to it again.
	 * Meanwhile no other event of the same object is, but all other objects go on. Later
	 * events of the object are merged into the one that waits.
	 * @param retry the backoff, such as
	 * {@link RetryBackoff#exponential(int, Duration, double, Duration, Duration)}
	 * @return a copy with that backoff
	 */
	public HandlerOptions withRetry(RetryBackoff retry) {
		return with((copy) -> copy.retry = retry);
	}

	/**
	 * Sets what is notified of events that are given up, which without a retry is every
	 * event that the handler failed on.
	 * @param exhausted is notified of them
	 * @return a copy with that handler of exhausted events
	 */
	public HandlerOptions withExhausted(ExhaustedHandler exhausted) {
		return with((copy) -> copy.exhausted = exhausted);
	}

	/**
	 * Sets what makes the threads of the workers, such as a factory of virtual threads.
	 * The threads are named after the handler. A thread that had nothing to do for a
	 * while ends, and the factory makes another when there is something: it is called by
	 * a thread that all informers share, and must not wait for anything.
	 * @param threadFactory makes the threads
	 * @return a copy with that factory
	 */
	public HandlerOptions withThreadFactory(ThreadFactory threadFactory) {
		return with((copy) -> copy.threadFactory = threadFactory);
	}

	/**
	 * Sets what holds events back until it is opened. It serves integrations, and is not
	 * a stable API.
	 * @param gate the gate; {@code null} for none
	 * @return a copy with that gate
	 */
	public HandlerOptions withGate(@Nullable DeliveryGate gate) {
		return with((copy) -> copy.gate = gate);
	}

	/**
	 * Delivers events only while this process leads, as far as a {@link Leadership} says
	 * so. The informer is filled at every replica; a leader-only handler joins it for the
	 * terms of its own.
	 * <ul>
	 * <li>A grant delivers all that the cache holds as additions marked
	 * {@link ResourceEvent#initial()}, then every change, as if the handler had just been
	 * added. What changed or was deleted while another replica led is not delivered. The
	 * handler is in {@link dev.kubeinformer.informer.Informer#handlers()}, and known to
	 * listeners, during terms only.
	 * <li>A term that ends in good order drains: no more events are queued, and pending
	 * ones are handled within the {@link #withDrainTimeout(Duration) drain timeout} while
	 * the Lease is still renewed. The Lease is not released as long as an event is being
	 * handled, also after {@link HandlerRegistration#close()}.
	 * <li>A term that is lost ends at once: pending events are dropped and the threads of
	 * the handler are interrupted. No event is delivered once the term is over by the
	 * clocks, whether or not anybody was told. What the handler throws after that is no
	 * failure.
	 * <li>Each term has threads of its own. Where a handler ignores its interrupt, it may
	 * still be busy when the next term of this process begins.
	 * <li>Retries and the {@link #withResync(Duration) resync} belong to a term: an event
	 * that waits for a retry is dropped with it, and the period of the resync begins with
	 * the next one.
	 * <li>While this process does not lead, the handler counts as synced when its
	 * informer is. A candidate waits for that informer before it stands for election. A
	 * pause holds until it is resumed, whatever terms begin meanwhile.
	 * </ul>
	 * Requests that the handler sends are not fenced: one that is on its way when a term
	 * ends may still have its effect.
	 * @param leadership who leads; {@code null} to deliver events at every replica
	 * @return a copy with that leadership
	 * @see HandlerRegistration#isStandby()
	 */
	public HandlerOptions withLeadership(@Nullable Leadership leadership) {
		return with((copy) -> copy.leadership = leadership);
	}

	/**
	 * Sets what is told the term of each delivery to a leader-only handler. It serves
	 * integrations, and is not a stable API.
	 * @param fence the fence; {@code null} for none
	 * @return a copy with that fence
	 */
	public HandlerOptions withFence(@Nullable DeliveryFence fence) {
		return with((copy) -> copy.fence = fence);
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
	 * Returns the number of pending events after which events of the same object are
	 * merged.
	 * @return the capacity
	 */
	public int queueCapacity() {
		return this.values.queueCapacity;
	}

	/**
	 * Returns the limit of the time in which pending events are handled at the end.
	 * @return the limit
	 */
	public Duration drainTimeout() {
		return this.values.drainTimeout;
	}

	/**
	 * Returns whether and when failed events are tried again.
	 * @return the backoff
	 */
	public RetryBackoff retry() {
		return this.values.retry;
	}

	/**
	 * Returns what is notified of events that are given up.
	 * @return the handler of exhausted events
	 */
	public ExhaustedHandler exhausted() {
		return this.values.exhausted;
	}

	/**
	 * Returns what makes the threads of the workers.
	 * @return the factory
	 */
	public ThreadFactory threadFactory() {
		return this.values.threadFactory;
	}

	/**
	 * Returns what holds events back until it is opened.
	 * @return the gate; {@code null} for none
	 */
	public @Nullable DeliveryGate gate() {
		return this.values.gate;
	}

	/**
	 * Returns who decides whether events are delivered.
	 * @return the leadership; {@code null} if they always are
	 */
	public @Nullable Leadership leadership() {
		return this.values.leadership;
	}

	/**
	 * Returns what is told the term of each delivery.
	 * @return the fence; {@code null} for none
	 */
	public @Nullable DeliveryFence fence() {
		return this.values.fence;
	}

	/**
	 * The values of the options, with their defaults.
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
