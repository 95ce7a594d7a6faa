package dev.kubeinformer.spring.handler;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.informer.InformerSpec;

/**
 * Maker of what stands between an informer and the bean that handles its events, for what
 * is to happen around each of them: the evaluation of conditions and the method included,
 * each attempt by itself. Of several, those that come first in order are the outer ones.
 */
public interface HandlerDecorator {

	/**
	 * Decorates what calls a handler.
	 * @param <T> the model class
	 * @param handler calls the handler
	 * @param id the id of the handler
	 * @param spec what its informer caches
	 * @return what is called instead
	 */
	<T extends KubernetesObject> EventHandler<T> decorate(EventHandler<T> handler, String id, InformerSpec<T> spec);

}
