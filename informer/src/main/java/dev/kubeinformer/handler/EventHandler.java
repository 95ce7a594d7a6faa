package dev.kubeinformer.handler;

import io.kubernetes.client.common.KubernetesObject;

/**
 * Handler of the events of one informer. Events of one object are delivered in order and
 * never overlap. With a concurrency above 1, events of different objects may overlap.
 *
 * @param <T> the model class
 */
@FunctionalInterface
public interface EventHandler<T extends KubernetesObject> {

	/**
	 * Handles one event.
	 * @param event the event
	 * @throws Exception if the event could not be handled. The failure is counted and
	 * reported, and the next event is delivered. The failed event is delivered again if
	 * the handler has a {@linkplain HandlerOptions#withRetry(RetryBackoff) retry}
	 */
	void handle(ResourceEvent<T> event) throws Exception;

}
