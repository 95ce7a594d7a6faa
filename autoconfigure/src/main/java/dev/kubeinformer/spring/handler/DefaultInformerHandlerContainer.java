package dev.kubeinformer.spring.handler;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.EventHandler;
import dev.kubeinformer.HandlerOptions;
import dev.kubeinformer.HandlerRegistration;
import dev.kubeinformer.HandlerStatus;
import dev.kubeinformer.Informer;
import dev.kubeinformer.InformerSpec;
import dev.kubeinformer.Informers;
import dev.kubeinformer.ResourceEvent;
import dev.kubeinformer.spi.DeliveryGate;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.bean.AnnotatedBean;
import dev.kubeinformer.spring.settings.Setting;

/**
 * The {@link InformerHandlerContainer} of one handler.
 *
 * @param <T> the model class
 */
final class DefaultInformerHandlerContainer<T extends KubernetesObject> implements AttachedContainer {

	private static final HandlerStatus NEVER_STARTED = new HandlerStatus(new HandlerStatus.Sync(false, null, false, 0),
			new HandlerStatus.Queue(0, 0, 0, 0), new HandlerStatus.Deliveries(0, 0, 0, 0), false, null, null);

	private final Informers informers;

	private final HandlerDefinition<T> definition;

	private final EventHandler<T> handler;

	private final Map<ResourceEvent.Type, Method> methods;

	private final HandlerOptions options;

	/** The start that holds, {@code null} when stopped. */
	private final AtomicReference<@Nullable Start> current = new AtomicReference<>();

	private volatile Runnable attached = () -> {
	};

	private volatile HandlerStatus lastStatus = NEVER_STARTED;

	private volatile boolean syncedBefore;

	private final ReentrantLock gateLock = new ReentrantLock();

	DefaultInformerHandlerContainer(Informers informers, HandlerDefinition<T> definition, EventHandler<T> handler,
			Map<ResourceEvent.Type, Method> methods) {
		this.informers = informers;
		this.definition = definition;
		this.handler = handler;
		this.methods = methods;
		this.options = definition.options().withExhausted(this::exhausted);
		if (handler instanceof WaitingEventHandler<T> waiting) {
			waiting.runningWhile(this::isRunning);
		}
	}

	private void exhausted(ResourceEvent<?> event, Throwable failure) {
		InformerErrorHandler errorHandler = this.definition.errorHandler().get();
		if (errorHandler != null) {
			errorHandler.handle(event, failure, this);
		}
	}

	/**
	 * Makes the informer known, so that it starts with the others.
	 */
	void prepare() {
		this.informers.informer(this.definition.spec());
	}

	AnnotatedBean<InformerHandler> bean() {
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
	public Map<ResourceEvent.Type, Method> methods() {
		return this.methods;
	}

	@Override
	public InformerSpec<T> spec() {
		return this.definition.spec();
	}

	@Override
	public HandlerOptions options() {
		return this.options;
	}

	@Override
	public boolean isAutoStartup() {
		return this.definition.isOn(HandlerSettings.AUTO_STARTUP);
	}

	@Override
	public boolean isReadiness() {
		return this.definition.isOn(Setting.READINESS);
	}

	@Override
	public void start() {
		attach();
		this.informers.informer(spec()).run();
	}

	@Override
	public void attach() {
		Start start = new Start((cacheWait() != null) ? new DeliveryGate() : null);
		if (this.current.compareAndSet(null, start)) {
			// No lock is held: listeners are notified of the handler, and one may call
			// us.
			HandlerRegistration added = add(start);
			start.registration = added;
			reconsider();
			if (this.current.get() == start) {
				this.attached.run();
			}
			else {
				close(added);
			}
		}
	}

	private HandlerRegistration add(Start start) {
		boolean added = false;
		try {
			HandlerRegistration registration = this.informers.informer(spec())
				.addHandler(this.handler, options().withGate(start.gate));
			added = true;
			return registration;
		}
		finally {
			if (!added) {
				this.current.compareAndSet(start, null);
			}
		}
	}

	private @Nullable CacheWait cacheWait() {
		return (this.handler instanceof WaitingEventHandler<T> waiting) ? waiting.cacheWait() : null;
	}

	/**
	 * Looks whether the handler still waits for caches, after something happened to one
	 * that it may read.
	 * @param changed the informer of that cache
	 */
	void reconsider(Informer<?> changed) {
		Start start = this.current.get();
		boolean own = changed.spec().equals(spec());
		if (start != null && start.gate != null
				&& (own || !start.gate.isOpen() || !changed.status().sync().everSynced())) {
			reconsider();
		}
	}

	private void reconsider() {
		CacheWait wait = cacheWait();
		Start start = this.current.get();
		if (wait == null || start == null || start.gate == null) {
			return;
		}
		// What was found first must not be done last.
		this.gateLock.lock();
		try {
			if (wait.isOver()) {
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

	@Override
	public List<String> awaiting() {
		CacheWait wait = cacheWait();
		// Which caches it reads is looked for among all beans, and this is asked often.
		boolean allFilled = this.informers.all().stream().allMatch((informer) -> informer.status().sync().everSynced());
		return (wait != null && !allFilled && isRunning()) ? wait.awaited() : List.of();
	}

	@Override
	public void onAttached(Runnable called) {
		this.attached = called;
	}

	@Override
	public @Nullable HandlerRegistration registration() {
		Start start = this.current.get();
		return (start != null) ? start.registration : null;
	}

	@Override
	public void stop() {
		HandlerRegistration known = registration();
		if (known != null) {
			note(known);
		}
		Start stopped = this.current.getAndSet(null);
		// Without a registration it is being added, and the thread that adds it sees
		// the stop.
		HandlerRegistration registration = (stopped != null) ? stopped.registration : null;
		if (registration != null) {
			close(registration);
		}
	}

	private void close(HandlerRegistration stopped) {
		// Pending events are handled first.
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

	@Override
	public boolean isRunning() {
		return this.current.get() != null;
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
		HandlerRegistration current = registration();
		return current != null && current.hasSynced();
	}

	@Override
	public boolean wasSynced() {
		return status().sync().everSynced();
	}

	@Override
	public boolean awaitSync(Duration timeout) throws InterruptedException {
		return running().awaitSync(timeout);
	}

	@Override
	public HandlerStatus status() {
		HandlerRegistration current = registration();
		return (current != null) ? withHistory(current.status()) : this.lastStatus;
	}

	private HandlerStatus withHistory(HandlerStatus status) {
		// A registration does not know the one before.
		HandlerStatus.Sync sync = status.sync();
		return new HandlerStatus(
				new HandlerStatus.Sync(sync.synced(), sync.syncedAt(), sync.everSynced() || this.syncedBefore,
						sync.pendingInitial()),
				status.queue(), status.deliveries(), status.paused(), status.handling(), status.lastError());
	}

	private HandlerRegistration running() {
		HandlerRegistration current = registration();
		if (current == null) {
			throw new IllegalStateException("Handler '%s' is not started".formatted(id()));
		}
		return current;
	}

	@Override
	public String toString() {
		return "handler '%s' of '%s'".formatted(id(), spec());
	}

	/**
	 * What a start leads to.
	 */
	private static final class Start {

		private final @Nullable DeliveryGate gate;

		private volatile @Nullable HandlerRegistration registration;

		Start(@Nullable DeliveryGate gate) {
			this.gate = gate;
		}

	}

}
