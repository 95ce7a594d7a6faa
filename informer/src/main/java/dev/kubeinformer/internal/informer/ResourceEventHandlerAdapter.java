package dev.kubeinformer.internal.informer;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ResourceEventHandler;

import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.ResourceEvent;

/**
 * Passes events to a handler of the official client.
 *
 * @param <T> the model class
 * @param handler the handler
 */
record ResourceEventHandlerAdapter<T extends KubernetesObject>(
		ResourceEventHandler<? super T> handler) implements EventHandler<T> {

	@Override
	public void handle(ResourceEvent<T> event) {
		switch (event.type()) {
			case ADD -> this.handler.onAdd(event.object());
			case UPDATE -> update(event);
			case DELETE -> this.handler.onDelete(event.object(), event.finalStateUnknown());
		}
	}

	private void update(ResourceEvent<T> event) {
		T before = event.oldObject();
		this.handler.onUpdate((before != null) ? before : event.object(), event.object());
	}

}
