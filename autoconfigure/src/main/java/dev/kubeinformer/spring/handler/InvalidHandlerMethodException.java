package dev.kubeinformer.spring.handler;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.StringJoiner;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a method annotated with {@code @OnAdd}, {@code @OnUpdate} or
 * {@code @OnDelete} cannot be called with an event.
 */
public class InvalidHandlerMethodException extends InvalidHandlerException {

	private static final long serialVersionUID = 1L;

	static final String ALLOWED = """
			Give the method the return type 'void', and one of these parameter lists, where T is the model class:
			  @OnAdd:    (T) or (ResourceEvent<T>)
			  @OnUpdate: (T), (T before, T after) or (ResourceEvent<T>)
			  @OnDelete: (T), (T, boolean finalStateUnknown) or (ResourceEvent<T>)""";

	private final transient Method method;

	InvalidHandlerMethodException(HandlerBean bean, Method method, String problem, String action,
			@Nullable Throwable cause) {
		super(bean, "has the method '%s', %s".formatted(describe(bean, method), problem), action, cause);
		this.method = method;
	}

	static InvalidHandlerMethodException notCallable(HandlerBean bean, Method method, String annotation) {
		String problem = "which cannot be called as @%s method".formatted(annotation);
		if (method.getReturnType() != void.class) {
			problem += ": it returns something, which would be ignored";
		}
		return new InvalidHandlerMethodException(bean, method, problem, ALLOWED, null);
	}

	/**
	 * Returns the method with simple names, as it is written in the source.
	 * @param bean the handler
	 * @param method the method
	 * @return its text
	 */
	static String describe(HandlerBean bean, Method method) {
		StringJoiner parameters = new StringJoiner(", ", "(", ")");
		for (int i = 0; i < method.getParameterCount(); i++) {
			parameters.add(simpleName(method.getGenericParameterTypes()[i]));
		}
		String modifiers = Modifier.toString(method.getModifiers() & Modifier.methodModifiers());
		return (modifiers.isEmpty() ? "" : modifiers + " ") + simpleName(method.getGenericReturnType()) + " "
				+ method.getName() + parameters
				+ ((method.getDeclaringClass() != bean.type()) ? " of " + method.getDeclaringClass().getName() : "");
	}

	private static String simpleName(Type type) {
		return type.getTypeName().replaceAll("[\\w.]+[.$](\\w+)", "$1");
	}

	static InvalidHandlerMethodException notInProxy(HandlerBean bean, Method method, @Nullable Throwable cause) {
		return new InvalidHandlerMethodException(bean, method, "which the bean's proxy does not have",
				"Make the method neither private nor final, or add it to an interface that the proxy implements, "
						+ "or proxy the class (proxyTargetClass=true).",
				cause);
	}

	/**
	 * Returns the method in question.
	 * @return the method
	 */
	public Method getMethod() {
		return this.method;
	}

}
