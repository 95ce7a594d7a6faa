package dev.kubeinformer.spring.handler.method;

import java.lang.reflect.Method;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.spring.settings.ModelType;

/**
 * Annotated methods of a handler.
 *
 * @param model the model of the objects that the methods receive
 * @param byEvent the method for each type of event; at least one
 */
public record HandlerMethods(ModelType model, Map<ResourceEvent.Type, HandlerMethod> byEvent) {

	public Map<ResourceEvent.Type, Method> called() {
		Map<ResourceEvent.Type, Method> methods = new EnumMap<>(ResourceEvent.Type.class);
		this.byEvent.forEach((type, handlerMethod) -> methods.put(type, handlerMethod.method()));
		return Collections.unmodifiableMap(methods);
	}

}
