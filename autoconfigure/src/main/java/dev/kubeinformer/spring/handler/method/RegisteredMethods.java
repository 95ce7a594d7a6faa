package dev.kubeinformer.spring.handler.method;

import java.lang.reflect.Method;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

import org.springframework.util.ClassUtils;

import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.ResourceEvent;

/**
 * Finds the method of a registered handler that is called.
 */
public final class RegisteredMethods {

	private RegisteredMethods() {
	}

	/**
	 * Returns the method of the handler's class; for a lambda, whose class has no name,
	 * the method of the interface.
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
