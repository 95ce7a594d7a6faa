package dev.kubeinformer.spring.handler.event;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.RegistrationAware;

/**
 * Registrations of handlers whose sync was published. May be used by any thread.
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
	 * Returns whether the sync of a handler's present start was published. One whose
	 * registration is not known counts as published, and so does a handler that stands
	 * by: what it would be synced with is that of its informer.
	 * @param container the handler
	 * @return whether it was
	 */
	boolean contains(InformerHandlerContainer container) {
		if (container instanceof RegistrationAware attached) {
			HandlerRegistration registration = attached.registration();
			return (registration != null) ? this.registrations.contains(registration) : container.isStandby();
		}
		return true;
	}

}
