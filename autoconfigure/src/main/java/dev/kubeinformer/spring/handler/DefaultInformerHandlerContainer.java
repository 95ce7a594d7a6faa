package dev.kubeinformer.spring.handler;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.EventHandler;
import dev.kubeinformer.HandlerOptions;
import dev.kubeinformer.HandlerRegistration;
import dev.kubeinformer.HandlerStatus;
import dev.kubeinformer.InformerSpec;
import dev.kubeinformer.Informers;

/**
 * The {@link InformerHandlerContainer} of one handler.
 *
 * @param <T> the model class
 */
final class DefaultInformerHandlerContainer<T extends KubernetesObject> implements InformerHandlerContainer {

	private static final HandlerStatus NEVER_STARTED = new HandlerStatus(false, null, 0, 0, 0, 0, 0, 0, 0, 0, 0, false,
			null, null, false);

	private final Informers informers;

	private final HandlerDefinition<T> definition;

	private final EventHandler<T> handler;

	private final ReentrantLock lock = new ReentrantLock();

	private volatile @Nullable HandlerRegistration registration;

	private volatile HandlerStatus lastStatus = NEVER_STARTED;

	private volatile boolean syncedBefore;

	DefaultInformerHandlerContainer(Informers informers, HandlerDefinition<T> definition, EventHandler<T> handler) {
		this.informers = informers;
		this.definition = definition;
		this.handler = handler;
	}

	/**
	 * Makes the informer known, so that it starts with the others.
	 */
	void prepare() {
		this.informers.informer(this.definition.spec());
	}

	HandlerBean bean() {
		return this.definition.bean();
	}

	@Override
	public String id() {
		return this.definition.id();
	}

	@Override
	public String beanName() {
		return this.definition.bean().name();
	}

	@Override
	public InformerSpec<T> spec() {
		return this.definition.spec();
	}

	@Override
	public HandlerOptions options() {
		return this.definition.options();
	}

	@Override
	public boolean isAutoStartup() {
		return this.definition.autoStartup();
	}

	@Override
	public boolean isReadiness() {
		return this.definition.readiness();
	}

	@Override
	public void start() {
		this.lock.lock();
		try {
			if (this.registration == null) {
				this.registration = this.informers.informer(spec()).addHandler(this.handler, options());
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void stop() {
		HandlerRegistration stopped = detach();
		if (stopped != null) {
			// outside the lock: pending events are handled first, and one may call us
			stopped.close();
			note(stopped);
		}
	}

	private @Nullable HandlerRegistration detach() {
		this.lock.lock();
		try {
			HandlerRegistration current = this.registration;
			if (current != null) {
				note(current);
				this.registration = null;
			}
			return current;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void note(HandlerRegistration stopped) {
		HandlerStatus status = stopped.status();
		this.syncedBefore |= status.everSynced();
		this.lastStatus = new HandlerStatus(false, status.syncedAt(), status.pendingInitial(), status.queueSize(),
				status.processed(), status.failed(), status.merged(), status.retries(), status.exhausted(),
				status.waitingForRetry(), status.dropped(), false, status.lastError(), null, this.syncedBefore);
	}

	@Override
	public boolean isRunning() {
		return this.registration != null;
	}

	@Override
	public void pause() {
		running().pause();
	}

	@Override
	public void resume() {
		running().resume();
	}

	@Override
	public void resync() {
		running().resync();
	}

	@Override
	public boolean hasSynced() {
		HandlerRegistration current = this.registration;
		return current != null && current.hasSynced();
	}

	@Override
	public boolean wasSynced() {
		return status().everSynced();
	}

	@Override
	public boolean awaitSync(Duration timeout) throws InterruptedException {
		return running().awaitSync(timeout);
	}

	@Override
	public HandlerStatus status() {
		HandlerRegistration current = this.registration;
		return (current != null) ? withHistory(current.status()) : this.lastStatus;
	}

	private HandlerStatus withHistory(HandlerStatus status) {
		// a registration knows nothing of the one before
		return new HandlerStatus(status.synced(), status.syncedAt(), status.pendingInitial(), status.queueSize(),
				status.processed(), status.failed(), status.merged(), status.retries(), status.exhausted(),
				status.waitingForRetry(), status.dropped(), status.paused(), status.lastError(), status.handling(),
				status.everSynced() || this.syncedBefore);
	}

	private HandlerRegistration running() {
		HandlerRegistration current = this.registration;
		if (current == null) {
			throw new IllegalStateException("Handler '%s' is not started".formatted(id()));
		}
		return current;
	}

	@Override
	public String toString() {
		return "handler '%s' of '%s'".formatted(id(), spec());
	}

}
