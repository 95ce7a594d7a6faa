package dev.kubeinformer.spring.handler.method;

import java.util.Map;
import java.util.function.Supplier;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.ResourceEvent;

/**
 * {@link EventHandler} that calls the annotated methods of a bean.
 *
 * @param <T> the model class
 * @param bean the supplier of the bean
 * @param methods the methods by type of event
 */
public record MethodEventHandler<T extends KubernetesObject>(Supplier<Object> bean,
		Map<ResourceEvent.Type, HandlerMethod> methods) implements EventHandler<T> {

	@Override
	public void handle(ResourceEvent<T> event) throws Exception {
		HandlerMethod method = this.methods.get(event.type());
		if (method != null) {
			method.invoke(this.bean.get(), event);
		}
	}

}
