package dev.kubeinformer.spring.handler;

import java.util.Collection;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ResourceEventHandler;

import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.informer.InformerSpec;

/**
 * The handlers of the application context: {@code @InformerHandler} beans, which are
 * known once all singletons are created, and those that the application registers at any
 * time. All methods may be called from any thread, also from a handler.
 */
public interface InformerHandlerRegistry {

	/**
	 * Returns the container of one handler.
	 * @param id the id of the handler
	 * @return the container
	 * @throws IllegalArgumentException if no handler has that id
	 */
	default InformerHandlerContainer get(String id) {
		return all().stream()
			.filter((container) -> container.id().equals(id))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("No informer handler has the id '%s'; the handlers are %s"
				.formatted(id, all().stream().map(InformerHandlerContainer::id).toList())));
	}

	/**
	 * Returns all containers.
	 * @return an unmodifiable collection in the order of the bean definitions
	 */
	Collection<InformerHandlerContainer> all();

	/**
	 * Registers a handler. It starts at once if the handlers of the application context
	 * are started, and otherwise with them; a registration from before a stop is started
	 * again with them, too. Health, endpoint and meters show it. Readiness waits for it
	 * only if it is registered before the application is ready.
	 * <p>
	 * Its informer is shared with all who ask for an equal spec, and ends with the last
	 * of them. What {@code kubernetes.informers} says in the configuration does not count
	 * for it: spec and options say all.
	 * @param <T> the model class
	 * @param id the id, of letters, digits, {@code -} and {@code _}, with the name of the
	 * cluster and a dot before it unless that is the default one
	 * @param spec what its informer caches
	 * @param options how events are delivered; their own id does not count
	 * @param handler the handler
	 * @return the container
	 * @throws IllegalArgumentException if the id is none or taken, or there is no such
	 * cluster
	 * @throws IllegalStateException if the application context is closed, or if the
	 * namespaces of the informer with that spec were changed for another handler
	 * @throws UnsupportedOperationException if this registry cannot do it
	 * @see #unregister(String)
	 */
	default <T extends KubernetesObject> InformerHandlerContainer register(String id, InformerSpec<T> spec,
			HandlerOptions options, EventHandler<T> handler) {
		throw new UnsupportedOperationException("'%s' registers no handlers".formatted(getClass().getName()));
	}

	/**
	 * Registers a handler in the form of the official client.
	 * @param <T> the model class
	 * @param id the id, with the name of the cluster and a dot before it unless that is
	 * the default one
	 * @param spec what its informer caches
	 * @param options how events are delivered; their own id does not count
	 * @param handler the handler
	 * @return the container
	 * @throws IllegalArgumentException if the id is none or taken, or there is no such
	 * cluster
	 * @throws IllegalStateException if the application context is closed, or if the
	 * namespaces of the informer with that spec were changed for another handler
	 * @throws UnsupportedOperationException if this registry cannot do it
	 * @see #register(String, InformerSpec, HandlerOptions, EventHandler)
	 */
	default <T extends KubernetesObject> InformerHandlerContainer register(String id, InformerSpec<T> spec,
			HandlerOptions options, ResourceEventHandler<? super T> handler) {
		throw new UnsupportedOperationException("'%s' registers no handlers".formatted(getClass().getName()));
	}

	/**
	 * Stops a handler that was registered, after pending events were handled or the drain
	 * timeout has passed, and forgets it: its id may be used again. Called from the
	 * handler itself it does not wait.
	 * @param id the id of the handler
	 * @throws IllegalArgumentException if no handler has that id, or it is that of a
	 * bean, which can only be stopped
	 * @throws UnsupportedOperationException if this registry cannot do it
	 */
	default void unregister(String id) {
		throw new UnsupportedOperationException("'%s' registers no handlers".formatted(getClass().getName()));
	}

}
