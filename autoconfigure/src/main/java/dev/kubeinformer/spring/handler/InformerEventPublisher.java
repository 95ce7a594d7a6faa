package dev.kubeinformer.spring.handler;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

import dev.kubeinformer.HandlerRegistration;
import dev.kubeinformer.Informer;
import dev.kubeinformer.InformerError;
import dev.kubeinformer.InformerListener;
import dev.kubeinformer.Informers;
import dev.kubeinformer.types.InformerState;

/**
 * Publisher of what the engine tells as application events, from before the caches start
 * until after they stopped. It has a thread of its own, so that a slow listener holds up
 * no informer.
 */
final class InformerEventPublisher implements SmartLifecycle, InformerListener {

	static final int PHASE = DEFAULT_PHASE - 4096 - 1;

	private static final Logger logger = LoggerFactory.getLogger(InformerEventPublisher.class);

	private static final Set<InformerState> FAILING = EnumSet.of(InformerState.STALE, InformerState.FORBIDDEN,
			InformerState.NOT_FOUND);

	private final ApplicationEventPublisher publisher;

	private final Informers informers;

	private final InformerHandlerRegistry registry;

	/** Whether another context tells of the informers themselves. */
	private final boolean child;

	private volatile @Nullable Run run;

	InformerEventPublisher(ApplicationEventPublisher publisher, Informers informers, InformerHandlerRegistry registry,
			boolean child) {
		this.publisher = publisher;
		this.informers = informers;
		this.registry = registry;
		this.child = child;
	}

	@Override
	public void start() {
		CustomizableThreadFactory threads = new CustomizableThreadFactory("informer-events-");
		threads.setDaemon(true);
		ThreadPoolExecutor single = new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
				threads, new ThreadPoolExecutor.DiscardPolicy());
		single.allowCoreThreadTimeOut(true);
		Run started = new Run(single);
		this.run = started;
		this.informers.addListener(this);
		for (InformerHandlerContainer container : this.registry.all()) {
			if (container instanceof DefaultInformerHandlerContainer<?> ours) {
				ours.onAttached(this::tellOfSyncedContainers);
				HandlerRegistration registration = ours.registration();
				if (registration != null && registration.hasSynced()) {
					started.told(registration);
				}
			}
		}
	}

	@Override
	public void stop() {
		this.informers.removeListener(this);
		Run current = this.run;
		this.run = null;
		if (current != null) {
			current.executor.shutdown();
		}
	}

	@Override
	public boolean isRunning() {
		return this.run != null;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	@Override
	public void stateChanged(Informer<?> informer, InformerState before, InformerState now) {
		later((current) -> {
			if (now == InformerState.LIVE || now == InformerState.STOPPED) {
				current.told.remove(informer.id());
			}
			else if (FAILING.contains(now)) {
				failed(current, informer, now, informer.status().lastError());
			}
		});
	}

	@Override
	public void requestFailed(Informer<?> informer, InformerError error, Duration duration) {
		// one that never had all objects does not change its state
		later((current) -> {
			if (informer.status().state() == InformerState.SYNCING) {
				failed(current, informer, InformerState.SYNCING, error);
			}
		});
	}

	private void failed(Run current, Informer<?> informer, InformerState state, @Nullable InformerError error) {
		if (!this.child && current.told.computeIfAbsent(informer.id(), (id) -> EnumSet.noneOf(InformerState.class))
			.add(state)) {
			publish(new InformerFailedEvent(informer, state, error));
		}
	}

	@Override
	public void informerRemoved(Informer<?> informer) {
		later((current) -> {
			current.told.remove(informer.id());
			// it may have been what the others were waiting for
			publishIfAllAreSynced(current);
		});
	}

	@Override
	public void synced(Informer<?> informer, Duration duration) {
		later(this::publishIfAllAreSynced);
	}

	@Override
	public void handlerSynced(Informer<?> informer, HandlerRegistration handler, Duration duration) {
		Run current = this.run;
		if (current != null) {
			current.synced.put(handler, duration);
			tellOfSyncedContainers();
			for (InformerHandlerContainer container : this.registry.all()) {
				if (!(container instanceof DefaultInformerHandlerContainer) && container.id().equals(handler.id())
						&& container.spec().equals(informer.spec())) {
					tellOfSynced(container, handler, duration);
				}
			}
		}
	}

	@Override
	public void handlerRemoved(Informer<?> informer, HandlerRegistration handler) {
		Run current = this.run;
		if (current != null) {
			current.synced.remove(handler);
			later((same) -> same.toldHandlers.remove(handler));
		}
	}

	/**
	 * Called with each handler that is synced and each container that has its
	 * registration: a handler may be synced before its container knows that it was added.
	 */
	private void tellOfSyncedContainers() {
		Run current = this.run;
		if (current != null) {
			for (InformerHandlerContainer container : this.registry.all()) {
				HandlerRegistration registration = (container instanceof DefaultInformerHandlerContainer<?> ours)
						? ours.registration() : null;
				Duration duration = (registration != null) ? current.synced.remove(registration) : null;
				if (registration != null && duration != null) {
					tellOfSynced(container, registration, duration);
				}
			}
		}
	}

	private void tellOfSynced(InformerHandlerContainer container, HandlerRegistration registration, Duration duration) {
		later((current) -> {
			current.told(registration);
			publish(new InformerHandlerSyncedEvent(container, duration));
			publishIfAllAreSynced(current);
		});
	}

	private void publishIfAllAreSynced(Run current) {
		boolean nothing = this.registry.all().isEmpty() && (this.child || this.informers.all().isEmpty());
		if (!current.syncedTold && !nothing && this.informers.all().stream().allMatch(Informer::hasSynced)
				&& this.registry.all()
					.stream()
					.filter(InformerHandlerContainer::isAutoStartup)
					.allMatch((container) -> container.hasSynced() && current.isTold(container))) {
			current.syncedTold = true;
			publish(new InformersSyncedEvent(this.registry));
		}
	}

	private void publish(ApplicationEvent event) {
		try {
			this.publisher.publishEvent(event);
		}
		catch (RuntimeException ex) {
			// others wait for the events that follow
			logger.error("A listener of {} failed", event.getClass().getSimpleName(), ex);
		}
	}

	private void later(Consumer<Run> work) {
		Run current = this.run;
		if (current != null) {
			current.executor.execute(() -> {
				// what still waits at a stop belongs to no later start
				if (this.run == current) {
					work.accept(current);
				}
			});
		}
	}

	/**
	 * What is known between a start and its stop.
	 */
	private static final class Run {

		private final ExecutorService executor;

		/** What was told of each informer since it was last as it should be. */
		private final Map<String, Set<InformerState>> told = new HashMap<>();

		/**
		 * Handlers that are synced and not yet known to be those of a container.
		 */
		private final Map<HandlerRegistration, Duration> synced = Collections.synchronizedMap(new IdentityHashMap<>());

		/**
		 * Handlers that were told to be synced: that all are is told after them.
		 */
		private final Set<HandlerRegistration> toldHandlers = Collections
			.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

		private boolean syncedTold;

		Run(ExecutorService executor) {
			this.executor = executor;
		}

		void told(HandlerRegistration handler) {
			this.toldHandlers.add(handler);
		}

		boolean isTold(InformerHandlerContainer container) {
			if (container instanceof DefaultInformerHandlerContainer<?> ours) {
				HandlerRegistration registration = ours.registration();
				return registration != null && this.toldHandlers.contains(registration);
			}
			return true;
		}

	}

}
