package dev.kubeinformer.spring.handler;

import java.util.function.Supplier;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ResourceEventHandler;

import dev.kubeinformer.EventHandler;
import dev.kubeinformer.ResourceEvent;

/**
 * An {@link EventHandler} that calls a bean which implements the official client's
 * {@link ResourceEventHandler}.
 *
 * @param <T> the model class
 */
final class InterfaceEventHandler<T extends KubernetesObject> implements EventHandler<T> {

	private final Supplier<Object> bean;

	InterfaceEventHandler(Supplier<Object> bean) {
		this.bean = bean;
	}

	@Override
	@SuppressWarnings("unchecked")
	public void handle(ResourceEvent<T> event) {
		ResourceEventHandler<T> handler = (ResourceEventHandler<T>) this.bean.get();
		switch (event.type()) {
			case ADD -> handler.onAdd(event.object());
			case UPDATE -> handler.onUpdate(event.oldObject(), event.object());
			case DELETE -> handler.onDelete(event.object(), event.finalStateUnknown());
		}
	}

}
