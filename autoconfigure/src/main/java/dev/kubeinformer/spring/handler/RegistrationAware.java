package dev.kubeinformer.spring.handler;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.Informers;
import dev.kubeinformer.handler.HandlerRegistration;

/**
 * A container that shows how its handler is attached to the informer. Containers of other
 * registries do not.
 */
public interface RegistrationAware extends InformerHandlerContainer {

	/**
	 * Adds the handler to its informer, which starts with the others. Does nothing once
	 * it is retired.
	 */
	void attach();

	/**
	 * Returns the informers of the handler's cluster.
	 * @return the informers
	 */
	Informers informers();

	/**
	 * Returns the handler at its informer.
	 * @return the registration; {@code null} if it is stopped or being added
	 */
	@Nullable HandlerRegistration registration();

	/**
	 * Returns whether the handler was unregistered, or is about to be.
	 * @return whether it ends for ever
	 */
	boolean isRetired();

	/**
	 * Sets what is called each time when {@link #registration()} is there, or the handler
	 * stands by, and when it is retired.
	 * @param called is called by the thread that starts or retires the handler
	 */
	void onAttached(Runnable called);

}
