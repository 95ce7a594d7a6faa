package dev.kubeinformer.spring.handler.event;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.RegistrationAware;

/**
 * Registrations of handlers whose sync was published. Thread-safe.
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
	 * Returns whether the sync of a handler's current start was published. A handler with
	 * an unknown registration counts as published. So does a handler on standby, because
	 * its sync is that of its informer.
	 * @param container the handler
	 * @return {@code true} if the sync was published
	 */
	boolean contains(InformerHandlerContainer container) {
		if (container instanceof RegistrationAware attached) {
			HandlerRegistration registration = attached.registration();
			return (registration != null) ? this.registrations.contains(registration) : container.isStandby();
		}
		return true;
	}

}
