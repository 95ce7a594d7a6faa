package dev.kubeinformer.spring.handler;

import java.util.Collection;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ResourceEventHandler;

import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.informer.InformerSpec;

/**
 * Registry of the handlers of the application context: {@code @InformerHandler} beans,
 * and handlers that the application registers at any time. The beans are in the registry
 * after all singletons were created. All methods may be called from any thread, even from
 * a handler.
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
			.orElseThrow(() -> new IllegalArgumentException("No handler has the id '%s'; the handlers are %s"
				.formatted(id, all().stream().map(InformerHandlerContainer::id).toList())));
	}

	/**
	 * Returns all containers.
	 * @return an unmodifiable collection in the order of the bean definitions
	 */
	Collection<InformerHandlerContainer> all();

	/**
	 * Registers a handler. The handler starts immediately if the other handlers of the
	 * application context are started, otherwise together with them. After a stop of the
	 * context, it starts again with the other handlers. Health, endpoint and meters
	 * include it. Readiness waits for it only if it is registered before the application
	 * is ready.
	 * <p>
	 * Its informer is shared by all users of an equal spec, and is removed with the last
	 * of them. The settings of the handler and its informer come from the spec and the
	 * options. Properties below {@code kubernetes.informers} do not apply.
	 * @param <T> the model class
	 * @param id the id: letters, digits, {@code -} and {@code _}, prefixed with the
	 * cluster name and a dot unless that is the default cluster
	 * @param spec the spec of its informer
	 * @param options the options for the delivery of events; their id is ignored
	 * @param handler the handler
	 * @return the container
	 * @throws IllegalArgumentException if the id is not valid or in use, or the cluster
	 * does not exist
	 * @throws IllegalStateException if the application context is closed, or if another
	 * handler has changed the namespaces of the informer with that spec
	 * @throws UnsupportedOperationException if this registry does not support it
	 * @see #unregister(String)
	 */
	default <T extends KubernetesObject> InformerHandlerContainer register(String id, InformerSpec<T> spec,
			HandlerOptions options, EventHandler<T> handler) {
		throw new UnsupportedOperationException(
				"'%s' does not support registering handlers".formatted(getClass().getName()));
	}

	/**
	 * Registers a handler with the API of the official client.
	 * @param <T> the model class
	 * @param id the id, prefixed with the cluster name and a dot unless that is the
	 * default cluster
	 * @param spec the spec of its informer
	 * @param options the options for the delivery of events; their id is ignored
	 * @param handler the handler
	 * @return the container
	 * @throws IllegalArgumentException if the id is not valid or in use, or the cluster
	 * does not exist
	 * @throws IllegalStateException if the application context is closed, or if another
	 * handler has changed the namespaces of the informer with that spec
	 * @throws UnsupportedOperationException if this registry does not support it
	 * @see #register(String, InformerSpec, HandlerOptions, EventHandler)
	 */
	default <T extends KubernetesObject> InformerHandlerContainer register(String id, InformerSpec<T> spec,
			HandlerOptions options, ResourceEventHandler<? super T> handler) {
		throw new UnsupportedOperationException(
				"'%s' does not support registering handlers".formatted(getClass().getName()));
	}

	/**
	 * Stops and removes a registered handler. Waits until its pending events are handled
	 * or the drain timeout has passed; a call from the handler itself does not wait. The
	 * id can be used again afterwards.
	 * @param id the id of the handler
	 * @throws IllegalArgumentException if no handler has that id, or the handler is a
	 * bean, which can only be stopped
	 * @throws UnsupportedOperationException if this registry does not support it
	 */
	default void unregister(String id) {
		throw new UnsupportedOperationException(
				"'%s' does not support registering handlers".formatted(getClass().getName()));
	}

}
