package dev.kubeinformer.spring.handler.method;

import java.lang.reflect.Method;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

import org.springframework.util.ClassUtils;

import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.ResourceEvent;

/**
 * Finds the method that is called on a registered handler, for descriptions of the
 * handler.
 */
public final class RegisteredMethods {

	private RegisteredMethods() {
	}

	/**
	 * Returns the method of the handler's class. For a lambda, whose class has no useful
	 * name, returns the method of the interface.
	 * @param handler the handler
	 * @return the method for each type of event
	 */
	public static Map<ResourceEvent.Type, Method> of(EventHandler<?> handler) {
		Method declared = ClassUtils.getMethod(EventHandler.class, "handle", ResourceEvent.class);
		Method called = handler.getClass().isHidden() ? declared
				: ClassUtils.getMostSpecificMethod(declared, handler.getClass());
		Map<ResourceEvent.Type, Method> methods = new EnumMap<>(ResourceEvent.Type.class);
		for (ResourceEvent.Type type : ResourceEvent.Type.values()) {
			methods.put(type, called);
		}
		return Collections.unmodifiableMap(methods);
	}

}
