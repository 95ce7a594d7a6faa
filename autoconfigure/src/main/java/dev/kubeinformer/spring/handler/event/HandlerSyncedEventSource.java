package dev.kubeinformer.spring.handler.event;

import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;

import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.handler.RegistrationAware;

/**
 * Publishes {@link InformerHandlerSyncedEvent}s, one for each start of a handler. A start
 * creates a registration of the handler with its informer. The event is published when
 * this registration is synced and the container of the handler has it.
 */
public final class HandlerSyncedEventSource implements EventSource {

	private final EventThread events;

	private final InformerHandlerRegistry registry;

	private final SyncEventLedger published;

	private final Runnable afterEach;

	/**
	 * Synced registrations whose container is not known yet.
	 */
	private final Map<HandlerRegistration, Duration> unassigned = Collections.synchronizedMap(new IdentityHashMap<>());

	/**
	 * Creates a source.
	 * @param events the thread of the events
	 * @param registry the handlers
	 * @param published the ledger of published events
	 * @param afterEach called on the event thread after each event
	 */
	public HandlerSyncedEventSource(EventThread events, InformerHandlerRegistry registry, SyncEventLedger published,
			Runnable afterEach) {
		this.events = events;
		this.registry = registry;
		this.published = published;
		this.afterEach = afterEach;
	}

	@Override
	public void begin() {
		for (InformerHandlerContainer container : this.registry.all()) {
			if (container instanceof RegistrationAware attached) {
				attached.onAttached(() -> attached(attached));
				HandlerRegistration registration = attached.registration();
				if (registration != null && registration.hasSynced()) {
					this.published.add(registration);
				}
			}
		}
	}

	@Override
	public void handlerAdded(Informer<?> informer, HandlerRegistration handler) {
		// Listen to the container, which may have been registered after the call of
		// begin().
		for (InformerHandlerContainer container : this.registry.all()) {
			if (container instanceof RegistrationAware attached && container.id().equals(handler.id())) {
				attached.onAttached(() -> attached(attached));
			}
		}
	}

	private void attached(RegistrationAware container) {
		publishAssigned();
		if (container.isStandby() || container.isRetired()) {
			// Run this callback now, because there may be no later sync event: an
			// unregistered handler gets none, and a handler on standby gets one only when
			// this replica becomes the leader.
			this.events.execute(this.afterEach);
		}
	}

	@Override
	public void handlerSynced(Informer<?> informer, HandlerRegistration handler, Duration duration) {
		this.unassigned.put(handler, duration);
		publishAssigned();
		for (InformerHandlerContainer container : this.registry.all()) {
			if (!(container instanceof RegistrationAware) && container.id().equals(handler.id())
					&& container.spec().equals(informer.spec())) {
				publish(container, handler, duration);
			}
		}
	}

	@Override
	public void handlerRemoved(Informer<?> informer, HandlerRegistration handler) {
		this.unassigned.remove(handler);
		this.events.execute(() -> this.published.remove(handler));
	}

	/**
	 * Publishes the synced registrations whose container is known. Called when a
	 * registration is synced and when a container gets a registration, because either may
	 * happen first.
	 */
	private void publishAssigned() {
		for (InformerHandlerContainer container : this.registry.all()) {
			HandlerRegistration registration = (container instanceof RegistrationAware attached)
					? attached.registration() : null;
			Duration duration = (registration != null) ? this.unassigned.remove(registration) : null;
			if (registration != null && duration != null) {
				publish(container, registration, duration);
			}
		}
	}

	private void publish(InformerHandlerContainer container, HandlerRegistration registration, Duration duration) {
		this.events.execute(() -> {
			this.published.add(registration);
			this.events.publish(new InformerHandlerSyncedEvent(container, duration));
			this.afterEach.run();
		});
	}

}
