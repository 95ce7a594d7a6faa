package dev.kubeinformer.handler;

import io.kubernetes.client.common.KubernetesObject;

/**
 * Handler of the events of one informer. Events of one object arrive one after the other
 * and in order; with a concurrency above 1, those of different objects may overlap.
 *
 * @param <T> the model class
 */
@FunctionalInterface
public interface EventHandler<T extends KubernetesObject> {

	/**
	 * Handles one event.
	 * @param event the event
	 * @throws Exception if the event could not be handled; it is counted and reported,
	 * the next event is handled, and this one is tried again if the handler has a
	 * {@linkplain HandlerOptions#withRetry(RetryBackoff) retry}
	 */
	void handle(ResourceEvent<T> event) throws Exception;

}
