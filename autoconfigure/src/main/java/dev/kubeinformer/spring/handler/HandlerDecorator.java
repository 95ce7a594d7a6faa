package dev.kubeinformer.spring.handler;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.handler.DeliveryObserver;
import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.informer.InformerSpec;

/**
 * Decorates the call of a handler bean, to run code around each attempt to handle an
 * event, including the evaluation of its condition. If there are several decorators,
 * those with a lower order are the outer ones.
 */
public interface HandlerDecorator {

	/**
	 * Decorates a handler.
	 * @param <T> the model class
	 * @param handler the handler to decorate
	 * @param id the id of the handler
	 * @param spec the spec of its informer
	 * @return the decorated handler
	 */
	<T extends KubernetesObject> EventHandler<T> decorate(EventHandler<T> handler, String id, InformerSpec<T> spec);

	/**
	 * Returns the observer of the handler's deliveries. It surrounds each attempt, the
	 * log of its failure and the {@link InformerErrorHandler}. Observers of decorators
	 * with a lower order are the outer ones.
	 * @param id the id of the handler
	 * @param spec the spec of its informer
	 * @return the observer; {@code null} for none, which is the default
	 */
	default @Nullable DeliveryObserver observer(String id, InformerSpec<?> spec) {
		return null;
	}

}
