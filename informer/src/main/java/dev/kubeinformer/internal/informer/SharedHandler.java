package dev.kubeinformer.internal.informer;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.HandledEvent;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.handler.HandlerStatus;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.handler.SelectiveBackoff;
import dev.kubeinformer.internal.dispatch.DeliveryListener;
import dev.kubeinformer.internal.dispatch.HandlerDispatcher;
import dev.kubeinformer.internal.dispatch.ResyncSchedule;
import dev.kubeinformer.internal.slots.SlotPredicate;
import dev.kubeinformer.internal.status.FailureLog;
import dev.kubeinformer.internal.status.InformerNotices;
import dev.kubeinformer.internal.store.DeltaSink;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.internal.text.LogContext;
import dev.kubeinformer.internal.text.PrintableText;
import dev.kubeinformer.spi.CallbackAware;
import dev.kubeinformer.spi.DeliveryGate;
import dev.kubeinformer.types.ClusterName;
import dev.kubeinformer.types.ObjectKey;

/**
 * Handler of an informer, with its dispatcher and its resync.
 *
 * @param <T> the model class
 */
public final class SharedHandler<T extends KubernetesObject> implements HandlerRegistration, CallbackAware {

	private static final Logger logger = LoggerFactory.getLogger(EventHandler.class);

	private final String id;

	private final HandlerOptions options;

	private final ObjectStore<T> store;

	private final HandlerDispatcher<T> dispatcher;

	/** Queue of the handler, as the {@link DeliveryGate} uses it. */
	private final DeliveryGate.Queue gated;

	private final Context<T> context;

	private final AtomicInteger threadNumbers = new AtomicInteger();

	private final AtomicBoolean closed = new AtomicBoolean();

	private final ReentrantLock lock = new ReentrantLock();

	private @Nullable ResyncSchedule<T> resync;

	private volatile long startedAt;

	private volatile @Nullable Runnable settled;

	/** Registration that is passed to listeners. */
	private volatile HandlerRegistration registration = this;

	SharedHandler(String id, EventHandler<T> handler, HandlerOptions options, ObjectStore<T> store,
			Context<T> context) {
		this.id = id;
		this.options = options;
		this.store = store;
		this.context = context;
		this.startedAt = context.nanoTime().getAsLong();
		this.dispatcher = new HandlerDispatcher<>(handler, options, new Outcomes(),
				new HandlerDispatcher.Context(context.cluster().value(), this::newThread, context.nanoTime(),
						LogContext.ofHandler(id, context.resource(), context.cluster().value())));
		this.gated = this.dispatcher::hold;
		if (options.gate() != null) {
			options.gate().attach(this.gated);
		}
	}

	private Thread newThread(Runnable work) {
		Thread thread = Objects.requireNonNull(this.options.threadFactory().newThread(work),
				() -> "The thread factory of handler '%s' created no thread".formatted(this.id));
		thread.setName("informer-" + this.id + "-" + this.threadNumbers.incrementAndGet());
		return thread;
	}

	void start(ScheduledExecutorService timer) {
		this.lock.lock();
		try {
			if (!this.closed.get()) {
				this.startedAt = this.context.nanoTime().getAsLong();
				this.dispatcher.start(timer);
				if (!this.options.resync().isZero() && this.resync == null) {
					this.resync = new ResyncSchedule<>(this.store, this.dispatcher.sink(), this.options.resync(), timer,
							this.context.nanoTime());
				}
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	void drain() {
		drain(this.options.drainTimeout());
	}

	private void drain(Duration limit) {
		this.lock.lock();
		try {
			if (this.resync != null) {
				this.resync.cancel();
				this.resync = null;
			}
		}
		finally {
			this.lock.unlock();
		}
		HandlerDispatcher.Remaining left = this.dispatcher.drain(limit);
		if (left.running() > 0 && !limit.isZero()) {
			logger.info("{} stops; waits up to {} for {} {}{}", this, Durations.text(limit), left.running(),
					(left.running() == 1) ? "callback" : "callbacks",
					(left.waiting() > 0) ? " and %d waiting event(s)".formatted(left.waiting()) : "");
		}
	}

	/**
	 * Ends all waits for the sync at once.
	 */
	void endWaits() {
		this.dispatcher.endWaits();
	}

	void awaitDrained() {
		this.dispatcher.awaitDrained();
	}

	void awaitEnd(long until) {
		this.dispatcher.awaitEnd(until);
	}

	/**
	 * Sets a callback for each processed event, whatever its outcome.
	 * @param callback called by the worker; must neither block nor throw
	 */
	public void whenSettled(Runnable callback) {
		this.settled = callback;
	}

	/**
	 * Sets the registration that listeners receive instead of this handler. Called if a
	 * leader-only handler created this handler for a term.
	 * @param registered the registration of the leader-only handler
	 */
	void belongsTo(HandlerRegistration registered) {
		this.registration = registered;
	}

	HandlerRegistration registration() {
		return this.registration;
	}

	void suspend(boolean suspended) {
		this.dispatcher.suspend(suspended);
	}

	boolean awaitEnd(SlotPredicate slots, long until) throws InterruptedException {
		return this.dispatcher.awaitEnd(slots, until);
	}

	DeltaSink<T> sink() {
		return this.dispatcher.sink();
	}

	@Override
	public boolean isInCallback() {
		return this.dispatcher.isInCallback();
	}

	@Override
	public String id() {
		return this.id;
	}

	@Override
	public boolean hasSynced() {
		return this.dispatcher.hasSynced();
	}

	@Override
	public boolean awaitSync(Duration timeout) throws InterruptedException {
		return this.dispatcher.awaitSync(timeout);
	}

	@Override
	public HandlerStatus status() {
		return this.dispatcher.status();
	}

	@Override
	public void pause() {
		this.dispatcher.pause(true);
	}

	@Override
	public void resume() {
		this.dispatcher.pause(false);
	}

	@Override
	public void resync() {
		this.store.resync(this.dispatcher.sink(), this.store.walk(), Integer.MAX_VALUE);
	}

	@Override
	public void close() {
		close(this.options.drainTimeout());
	}

	/**
	 * Removes the handler.
	 * @param limit the longest time for processing pending events
	 */
	void close(Duration limit) {
		if (this.closed.compareAndSet(false, true)) {
			this.context.remover().accept(this);
			drain(limit);
			this.dispatcher.close(limit);
			removed();
		}
	}

	@Override
	public void discard() {
		boolean own = this.closed.compareAndSet(false, true);
		if (own) {
			this.context.remover().accept(this);
			drain(Duration.ZERO);
		}
		this.dispatcher.discard();
		if (own) {
			removed();
		}
	}

	private void removed() {
		if (this.options.gate() != null) {
			this.options.gate().detach(this.gated);
		}
		InformerNotices notices = this.context.notices();
		notices.add((listener, informer) -> listener.handlerRemoved(informer, this.registration));
		notices.deliver();
	}

	@Override
	public String toString() {
		return "Handler '%s'".formatted(this.id);
	}

	/**
	 * Parts of an informer that its handlers use.
	 *
	 * @param <T> the model class
	 * @param cluster the cluster
	 * @param resource the plural and group of the resource
	 * @param nanoTime the clock
	 * @param notices notifies listeners
	 * @param remover called with a closed handler
	 */
	record Context<T extends KubernetesObject>(ClusterName cluster, String resource, LongSupplier nanoTime,
			InformerNotices notices, Consumer<SharedHandler<T>> remover) {

	}

	/** Logs failures, and notifies listeners of the outcomes of events. */
	private final class Outcomes implements DeliveryListener<T> {

		private final InformerNotices notices = SharedHandler.this.context.notices();

		private final FailureLog log = new FailureLog(logger, SharedHandler.this.context.nanoTime());

		@Override
		public boolean isActive() {
			return this.notices.hasListeners();
		}

		@Override
		public void synced() {
			Duration duration = Duration
				.ofNanos(SharedHandler.this.context.nanoTime().getAsLong() - SharedHandler.this.startedAt);
			this.notices.add((listener, informer) -> listener.handlerSynced(informer, registration(), duration));
		}

		@Override
		public void handled(HandledEvent event) {
			this.notices.publish((listener, informer) -> listener.handled(informer, registration(), event));
		}

		@Override
		public void failed(ResourceEvent<T> event, ObjectKey key, Throwable cause, @Nullable Duration retry) {
			String described = describe(event, key);
			if (retry != null) {
				this.log.failedForNow("%s failed on %s, the next attempt is due in %d ms".formatted(SharedHandler.this,
						described, retry.toMillis()), cause);
				return;
			}
			Class<?> exclusion = (SharedHandler.this.options.retry() instanceof SelectiveBackoff backoff)
					? backoff.exclusion(cause) : null;
			if (exclusion != null) {
				this.log.gaveUp("%s gave up %s after %d attempt(s), as %s is excluded from retries"
					.formatted(SharedHandler.this, described, event.attempt(), exclusion.getName()), cause);
			}
			else if (event.attempt() > 1) {
				this.log.gaveUp(
						"%s gave up %s after %d attempts".formatted(SharedHandler.this, described, event.attempt()),
						cause);
			}
			else {
				this.log.failed("%s failed on %s".formatted(SharedHandler.this, described), cause);
			}
			exhausted(event, cause);
		}

		private void exhausted(ResourceEvent<T> event, Throwable cause) {
			try {
				SharedHandler.this.options.exhausted().exhausted(event, cause);
			}
			catch (Throwable ex) {
				this.log.failed("The handler of the exhausted events of '%s' failed".formatted(id()), ex);
			}
		}

		@Override
		public void interrupted(ResourceEvent<T> event, ObjectKey key) {
			logger.warn("{} was interrupted on {}: the drain timeout expired; {}", SharedHandler.this,
					describe(event, key),
					SharedHandler.this.closed.get() ? "the event is dropped" : "the event waits for the next start");
		}

		@Override
		public void observerFailed(Throwable cause) {
			this.log.failed("An observer of handler '%s' failed".formatted(id()), cause);
		}

		@Override
		public void dropped(int events) {
			logger.warn(
					"{} was closed before it had handled all events; number of dropped events, including deletions: {}",
					SharedHandler.this, events);
		}

		@Override
		public void settled() {
			Runnable callback = SharedHandler.this.settled;
			if (callback != null) {
				callback.run();
			}
			this.notices.deliver();
		}

		private String describe(ResourceEvent<T> event, ObjectKey key) {
			String change = switch (event.type()) {
				case ADD -> "the addition";
				case UPDATE -> "an update";
				case DELETE -> "the deletion";
			};
			return change + " of '" + PrintableText.of(key.toString()) + "'";
		}

	}

}
