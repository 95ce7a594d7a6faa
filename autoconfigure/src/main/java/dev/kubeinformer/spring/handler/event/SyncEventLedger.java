package dev.kubeinformer.spring.handler.event;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.RegistrationAware;

/**
 * Remembers the registrations of handlers for which an {@link InformerHandlerSyncedEvent}
 * was published. Thread-safe.
 */
public final class SyncEventLedger {

	private final Set<HandlerRegistration> registrations = Collections
		.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

	void add(HandlerRegistration registration) {
		this.registrations.add(registration);
	}

	void remove(HandlerRegistration registration) {
		this.registrations.remove(registration);
	}

	/**
	 * Returns whether the event for a handler's current start was published. Also returns
	 * {@code true} for a container that does not expose its registration, and for a
	 * handler on standby, which is synced when its informer is.
	 * @param container the handler
	 * @return {@code true} if the event was published
	 */
	boolean contains(InformerHandlerContainer container) {
		if (container instanceof RegistrationAware attached) {
			HandlerRegistration registration = attached.registration();
			return (registration != null) ? this.registrations.contains(registration) : container.isStandby();
		}
		return true;
	}

}
