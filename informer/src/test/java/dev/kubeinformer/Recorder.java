package dev.kubeinformer;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.ResourceEvent;

/**
 * A handler that records the events delivered to it, as {@code +name},
 * {@code name@old>new} and {@code -name}.
 *
 * @param <T> the model class
 */
class Recorder<T extends KubernetesObject> implements EventHandler<T> {

	private final List<String> delivered = new CopyOnWriteArrayList<>();

	private final List<ResourceEvent<T>> events = new CopyOnWriteArrayList<>();

	@Override
	public void handle(ResourceEvent<T> event) throws Exception {
		String name = event.object().getMetadata().getName();
		this.events.add(event);
		this.delivered.add(switch (event.type()) {
			case ADD -> "+" + name;
			case UPDATE -> (event.resync() ? "=" : "~") + name;
			case DELETE -> "-" + name + (event.finalStateUnknown() ? "?" : "");
		});
	}

	List<String> delivered() {
		return List.copyOf(this.delivered);
	}

	List<ResourceEvent<T>> events() {
		return List.copyOf(this.events);
	}

	void clear() {
		this.delivered.clear();
		this.events.clear();
	}

}
