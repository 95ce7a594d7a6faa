package dev.kubeinformer.spring.handler;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.handler.DeliveryObserver;
import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.informer.InformerSpec;

/**
 * Wraps a handler bean, to run code around each attempt to handle an event. An attempt
 * includes the evaluation of the condition of the handler's method. Of several
 * decorators, the one with the lowest order is the outermost.
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
	 * Returns the observer of the handler's deliveries. It is called before and after
	 * each delivery. A delivery includes the attempt, the logging of its failure and the
	 * call of the {@link InformerErrorHandler}. Of several decorators, the observer of
	 * the one with the lowest order is the outermost.
	 * @param id the id of the handler
	 * @param spec the spec of its informer
	 * @return the observer; {@code null} for none, which is the default
	 */
	default @Nullable DeliveryObserver observer(String id, InformerSpec<?> spec) {
		return null;
	}

}
