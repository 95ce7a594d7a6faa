package dev.kubeinformer;

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

import dev.kubeinformer.dispatch.Delivery;
import dev.kubeinformer.dispatch.HandlerDispatcher;
import dev.kubeinformer.dispatch.HandlerDispatcher.LastFailure;
import dev.kubeinformer.dispatch.HandlerFigures;
import dev.kubeinformer.dispatch.Handling;
import dev.kubeinformer.dispatch.ResyncSchedule;
import dev.kubeinformer.store.DeltaSink;
import dev.kubeinformer.store.ObjectStore;

/**
 * A handler at an informer: its dispatcher and its resync.
 *
 * @param <T> the model class
 */
final class SharedHandler<T extends KubernetesObject> implements HandlerRegistration {

	private static final Logger logger = LoggerFactory.getLogger(EventHandler.class);

	private final String id;

	private final HandlerOptions options;

	private final EventHandler<T> handler;

	private final ObjectStore<T> store;

	private final HandlerDispatcher<T> dispatcher;

	private final LongSupplier nanoTime;

	private final Consumer<SharedHandler<T>> remover;

	private final AtomicInteger threadNumbers = new AtomicInteger();

	private final AtomicBoolean closed = new AtomicBoolean();

	private final ReentrantLock lock = new ReentrantLock();

	private @Nullable ResyncSchedule<T> resync;

	SharedHandler(String id, EventHandler<T> handler, HandlerOptions options, ObjectStore<T> store,
			LongSupplier nanoTime, Consumer<SharedHandler<T>> remover) {
		this.id = id;
		this.handler = handler;
		this.options = options;
		this.store = store;
		this.nanoTime = nanoTime;
		this.remover = remover;
		this.dispatcher = new HandlerDispatcher<>(this::handle, new Failures(), new HandlerDispatcher.Options(
				options.concurrency(), options.queueCapacity(), options.retry()::delay, this::newThread, nanoTime));
	}

	private Thread newThread(Runnable work) {
		Thread thread = this.options.threadFactory().newThread(work);
		thread.setName("informer-" + this.id + "-" + this.threadNumbers.incrementAndGet());
		return thread;
	}

	void start(ScheduledExecutorService timer) {
		this.lock.lock();
		try {
			if (!this.closed.get()) {
				this.dispatcher.start(timer);
				if (!this.options.resync().isZero() && this.resync == null) {
					this.resync = new ResyncSchedule<>(this.store, this.dispatcher.sink(), this.options.resync(), timer,
							this.nanoTime);
				}
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	void drain() {
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
		this.dispatcher.drain(this.options.drainTimeout());
	}

	void awaitDrained() {
		this.dispatcher.awaitDrained();
	}

	void awaitEnd(long until) {
		this.dispatcher.awaitEnd(until);
	}

	DeltaSink<T> sink() {
		return this.dispatcher.sink();
	}

	boolean isInCallback() {
		return this.dispatcher.isInCallback();
	}

	private void handle(Delivery<T> delivery) throws Exception {
		this.handler.handle(event(delivery));
	}

	private ResourceEvent<T> event(Delivery<T> delivery) {
		T before = (delivery.before() != null) ? delivery.before().object() : null;
		T after = (delivery.after() != null) ? delivery.after().object() : null;
		ResourceEvent.Type type = switch (delivery.kind()) {
			case ADDED -> ResourceEvent.Type.ADD;
			case UPDATED -> ResourceEvent.Type.UPDATE;
			case DELETED -> ResourceEvent.Type.DELETE;
		};
		T object = Objects.requireNonNull((after != null) ? after : before);
		return new ResourceEvent<>(type, object, (type == ResourceEvent.Type.UPDATE) ? before : null, delivery.resync(),
				delivery.initial(), delivery.finalStateUnknown(), delivery.attempt());
	}

	@Override
	public String id() {
		return this.id;
	}

	@Override
	public boolean hasSynced() {
		return this.dispatcher.syncedAt() != null;
	}

	@Override
	public boolean awaitSync(Duration timeout) throws InterruptedException {
		return this.dispatcher.awaitSync(timeout);
	}

	@Override
	public HandlerStatus status() {
		HandlerFigures figures = this.dispatcher.figures();
		LastFailure failure = this.dispatcher.lastFailure();
		Handling handling = figures.handling();
		return new HandlerStatus(hasSynced(), this.dispatcher.syncedAt(), this.dispatcher.pendingInitial(),
				figures.waiting(), this.dispatcher.processed(), this.dispatcher.failed(), figures.merged(),
				this.dispatcher.retries(), this.dispatcher.exhausted(), figures.retrying(), figures.dropped(),
				this.dispatcher.isPaused(),
				(failure != null)
						? new HandlerStatus.Failure(failure.at(), failure.exception(), failure.key().toString()) : null,
				(handling != null) ? new HandlerStatus.Handling(handling.since(), handling.key().toString()) : null,
				this.dispatcher.everSynced());
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
		this.store.resync(this.dispatcher.sink(), this.store.keys());
	}

	@Override
	public void close() {
		if (this.closed.compareAndSet(false, true)) {
			this.remover.accept(this);
			drain();
			this.dispatcher.close(this.options.drainTimeout());
		}
	}

	@Override
	public String toString() {
		return "Handler '%s'".formatted(this.id);
	}

	/**
	 * Tells the log of failures, and the user of those that nothing makes good.
	 */
	private final class Failures implements HandlerDispatcher.DeliveryFailureHandler<T> {

		private final FailureLog log = new FailureLog(logger, SharedHandler.this.nanoTime);

		@Override
		public void failed(Delivery<T> delivery, Throwable cause, @Nullable Duration retry) {
			String event = describe(delivery);
			if (retry != null) {
				this.log.failedForNow(
						"%s failed on %s, the next attempt is due in %s".formatted(SharedHandler.this, event, retry),
						cause);
				return;
			}
			if (delivery.attempt() > 1) {
				this.log.gaveUp(
						"%s gave up %s after %d attempts".formatted(SharedHandler.this, event, delivery.attempt()),
						cause);
			}
			else {
				this.log.failed("%s failed on %s".formatted(SharedHandler.this, event), cause);
			}
			exhausted(delivery, cause);
		}

		private void exhausted(Delivery<T> delivery, Throwable cause) {
			try {
				SharedHandler.this.options.exhausted().exhausted(event(delivery), cause);
			}
			catch (Throwable ex) {
				this.log.failed("What is told of the exhausted events of handler '%s' failed".formatted(id()), ex);
			}
		}

		@Override
		public void interrupted(Delivery<T> delivery) {
			logger.warn("{} was interrupted on {}: the time to stop was over; {}", SharedHandler.this,
					describe(delivery),
					SharedHandler.this.closed.get() ? "the event is dropped" : "the event waits for the next start");
		}

		private String describe(Delivery<T> delivery) {
			String event = switch (delivery.kind()) {
				case ADDED -> "the addition";
				case UPDATED -> "an update";
				case DELETED -> "the deletion";
			};
			return event + " of '"
					+ Objects.requireNonNull((delivery.after() != null) ? delivery.after() : delivery.before()).key()
					+ "'";
		}

	}

}
