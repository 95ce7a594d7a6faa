package dev.kubeinformer.spring.handler;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.Informers;
import dev.kubeinformer.handler.HandlerRegistration;

/**
 * Container that exposes the registration of its handler with the informer. The starter's
 * containers implement this interface; containers of custom registries do not.
 */
public interface RegistrationAware extends InformerHandlerContainer {

	/**
	 * Adds the handler to its informer, without starting the informer. Does nothing after
	 * the handler was unregistered.
	 */
	void attach();

	/**
	 * Returns the informers of the handler's cluster.
	 * @return the informers
	 */
	Informers informers();

	/**
	 * Returns the registration of the handler with its informer.
	 * @return the registration; {@code null} if the handler is stopped or being added
	 */
	@Nullable HandlerRegistration registration();

	/**
	 * Returns whether the container is retired: the handler was unregistered, or is about
	 * to be.
	 * @return {@code true} if the container cannot be started again
	 */
	boolean isRetired();

	/**
	 * Sets the callback that is called whenever {@link #registration()} becomes
	 * available, the handler goes on standby, or the container is retired.
	 * @param called the callback, which runs on the thread that starts or retires the
	 * handler
	 */
	void onAttached(Runnable called);

}
