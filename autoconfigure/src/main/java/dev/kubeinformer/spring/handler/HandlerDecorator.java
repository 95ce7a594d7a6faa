package dev.kubeinformer.spring.handler;

import io.kubernetes.client.common.KubernetesObject;

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

}
