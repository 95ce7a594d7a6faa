package dev.kubeinformer.spring.handler.method;

import java.util.Map;
import java.util.function.Supplier;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.ResourceEvent;

/**
 * An {@link EventHandler} that calls the annotated methods of a bean.
 *
 * @param <T> the model class
 */
public final class MethodEventHandler<T extends KubernetesObject> implements EventHandler<T> {

	private final Supplier<Object> bean;

	private final Map<ResourceEvent.Type, HandlerMethod> methods;

	public MethodEventHandler(Supplier<Object> bean, Map<ResourceEvent.Type, HandlerMethod> methods) {
		this.bean = bean;
		this.methods = methods;
	}

	@Override
	public void handle(ResourceEvent<T> event) throws Exception {
		HandlerMethod method = this.methods.get(event.type());
		if (method != null) {
			method.invoke(this.bean.get(), event);
		}
	}

}
