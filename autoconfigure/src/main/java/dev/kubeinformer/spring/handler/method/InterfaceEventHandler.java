package dev.kubeinformer.spring.handler.method;

import java.lang.reflect.Method;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ResourceEventHandler;
import org.springframework.core.BridgeMethodResolver;

import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.ResourceEvent;

/**
 * {@link EventHandler} that calls a bean through the official client's interface
 * {@link ResourceEventHandler}.
 *
 * @param <T> the model class
 * @param bean the supplier of the bean
 */
public record InterfaceEventHandler<T extends KubernetesObject>(Supplier<Object> bean) implements EventHandler<T> {

	/**
	 * Returns the methods with which a class implements the interface.
	 * @param type the class
	 * @return the method for each type of event
	 */
	public static Map<ResourceEvent.Type, Method> called(Class<?> type) {
		Map<ResourceEvent.Type, Method> methods = new EnumMap<>(ResourceEvent.Type.class);
		for (Method declared : ResourceEventHandler.class.getMethods()) {
			ResourceEvent.Type event = switch (declared.getName()) {
				case "onAdd" -> ResourceEvent.Type.ADD;
				case "onUpdate" -> ResourceEvent.Type.UPDATE;
				case "onDelete" -> ResourceEvent.Type.DELETE;
				default -> throw new IllegalStateException("Unknown method " + declared);
			};
			methods.put(event, BridgeMethodResolver.getMostSpecificMethod(declared, type));
		}
		return Collections.unmodifiableMap(methods);
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
