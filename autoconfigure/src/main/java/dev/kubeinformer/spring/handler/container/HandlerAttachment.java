package dev.kubeinformer.spring.handler.container;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.handler.HandlerStatus;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spi.DeliveryGate;

/**
 * Adds a handler to its informer at each start, and removes it at each stop. Delivery of
 * events waits for the caches that the handler reads. After a stop, the last status
 * remains available. Thread-safe.
 *
 * @param <T> the model class
 */
final class HandlerAttachment<T extends KubernetesObject> {

	private static final HandlerStatus NEVER_STARTED = new HandlerStatus(new HandlerStatus.Sync(false, null, false, 0),
			new HandlerStatus.Queue(0, 0, 0, 0), new HandlerStatus.Deliveries(0, 0, 0, 0), false, null, null);

	private final HandlerOptions options;

	private final @Nullable HandlerDependencies cacheWait;

	private final ReentrantLock gateLock = new ReentrantLock();

	/**
	 * State since the last start of the handler; {@code null} while the handler is
	 * stopped.
	 */
	private final AtomicReference<@Nullable Start> current = new AtomicReference<>();

	private volatile HandlerStatus lastStatus = NEVER_STARTED;

	private volatile boolean syncedBefore;

	/**
	 * Creates an instance for a handler that is not attached yet.
	 * @param options the settings of the handler
	 * @param cacheWait the caches that delivery waits for; {@code null} if it does not
	 * wait
	 */
	HandlerAttachment(HandlerOptions options, @Nullable HandlerDependencies cacheWait) {
		this.options = options;
		this.cacheWait = cacheWait;
	}

	/**
	 * Adds the handler to its informer. Does nothing if the handler is attached.
	 * @param informer the informer
	 * @param handler the handler
	 * @return {@code true} if this call has attached the handler
	 */
	boolean attach(Informer<T> informer, EventHandler<T> handler) {
		Start start = new Start((this.cacheWait != null) ? new DeliveryGate() : null);
		if (!this.current.compareAndSet(null, start)) {
			return false;
		}
		// Do not hold a lock here: listeners are notified of the handler, and a listener
		// may call this class.
		HandlerRegistration added = add(start, informer, handler);
		start.registration = added;
		reconsider();
		if (this.current.get() == start) {
			return true;
		}
		close(added);
		return false;
	}

	private HandlerRegistration add(Start start, Informer<T> informer, EventHandler<T> handler) {
		boolean added = false;
		try {
			HandlerRegistration registration = informer.addHandler(handler, this.options.withGate(start.gate));
			added = true;
			return registration;
		}
		finally {
			if (!added) {
				this.current.compareAndSet(start, null);
			}
		}
	}

	/**
	 * Checks again whether delivery must wait for caches. Called when the state of a
	 * cache that the handler may read has changed.
	 * @param changed the informer of the cache
	 * @param own {@code true} if it is the handler's own cache
	 */
	void reconsider(Informer<?> changed, boolean own) {
		Start start = this.current.get();
		if (start != null && start.gate != null
				&& (own || !start.gate.isOpen() || !changed.status().sync().everSynced())) {
			reconsider();
		}
	}

	private void reconsider() {
		Start start = this.current.get();
		if (this.cacheWait == null || start == null || start.gate == null) {
			return;
		}
		// Hold the lock while checking and applying the result, so that the latest check
		// wins.
		this.gateLock.lock();
		try {
			if (this.cacheWait.isOver()) {
				start.gate.open();
			}
			else {
				start.gate.shut();
			}
		}
		finally {
			this.gateLock.unlock();
		}
	}

	/**
	 * Removes the handler after its pending events were handled or the drain timeout has
	 * passed.
	 */
	void detach() {
		Start start = this.current.get();
		HandlerRegistration known = (start != null) ? start.registration : null;
		if (known != null) {
			note(known);
		}
		if (start == null || !this.current.compareAndSet(start, null)) {
			return;
		}
		// If there is no registration, another thread is still adding the handler. That
		// thread then notices the stop and removes the handler.
		HandlerRegistration registration = start.registration;
		if (registration != null) {
			close(registration);
		}
	}

	private void close(HandlerRegistration stopped) {
		// This call waits until pending events are handled or the drain timeout has
		// passed.
		stopped.close();
		note(stopped);
	}

	private void note(HandlerRegistration stopped) {
		HandlerStatus status = stopped.status();
		if (status.sync().everSynced()) {
			this.syncedBefore = true;
		}
		HandlerStatus.Sync sync = status.sync();
		this.lastStatus = new HandlerStatus(
				new HandlerStatus.Sync(false, sync.syncedAt(), this.syncedBefore, sync.pendingInitial()),
				status.queue(), status.deliveries(), false, null, status.lastError());
	}

	boolean isAttached() {
		return this.current.get() != null;
	}

	/**
	 * Returns the registration of the handler with its informer.
	 * @return the registration; {@code null} while the handler is not registered
	 */
	@Nullable HandlerRegistration registration() {
		Start start = this.current.get();
		return (start != null) ? start.registration : null;
	}

	/**
	 * Returns the status that the handler had when it was last removed from its informer.
	 * @return the status
	 */
	HandlerStatus lastStatus() {
		return this.lastStatus;
	}

	/**
	 * Adds to the status of a registration whether the handler was synced in an earlier
	 * registration.
	 * @param status the status of the registration
	 * @return the status with that history
	 */
	HandlerStatus withHistory(HandlerStatus status) {
		HandlerStatus.Sync sync = status.sync();
		return new HandlerStatus(
				new HandlerStatus.Sync(sync.synced(), sync.syncedAt(), sync.everSynced() || this.syncedBefore,
						sync.pendingInitial()),
				status.queue(), status.deliveries(), status.paused(), status.handling(), status.lastError());
	}

	/**
	 * State of one start.
	 */
	private static final class Start {

		private final @Nullable DeliveryGate gate;

		private volatile @Nullable HandlerRegistration registration;

		Start(@Nullable DeliveryGate gate) {
			this.gate = gate;
		}

	}

}
