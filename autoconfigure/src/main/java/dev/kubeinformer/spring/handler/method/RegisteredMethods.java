package dev.kubeinformer.spring.handler.method;

import java.lang.reflect.Method;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

import org.springframework.util.ClassUtils;

import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.ResourceEvent;

/**
 * Finder of the method that is called of a handler which was registered.
 */
public final class RegisteredMethods {

	private RegisteredMethods() {
	}

	/**
	 * Returns the method, as its class declares it; that of the interface for a lambda,
	 * whose class has no name.
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
