package dev.kubeinformer.spring.handler;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a method annotated with {@code @OnAdd}, {@code @OnUpdate} or
 * {@code @OnDelete} cannot be called with an event.
 */
public class InvalidHandlerMethodException extends InvalidHandlerException {

	private static final long serialVersionUID = 1L;

	static final String ALLOWED = """
			Give the method the return type 'void' and one of these parameter lists, where T is the model class:
			  @OnAdd:    (T) or (ResourceEvent<T>)
			  @OnUpdate: (T), (T before, T after) or (ResourceEvent<T>)
			  @OnDelete: (T), (T, boolean finalStateUnknown) or (ResourceEvent<T>)""";

	private final transient Method method;

	InvalidHandlerMethodException(HandlerBean bean, Method method, String problem, String action,
			@Nullable Throwable cause) {
		super(bean, "has the method '%s', %s".formatted(method.toGenericString(), problem), action, cause);
		this.method = method;
	}

	static InvalidHandlerMethodException notInProxy(HandlerBean bean, Method method, @Nullable Throwable cause) {
		return new InvalidHandlerMethodException(bean, method, "which the bean's proxy does not have",
				"Make the method neither private nor final, or add it to an interface that the proxy implements, "
						+ "or proxy the class (proxyTargetClass=true).",
				cause);
	}

	/**
	 * The method in question.
	 * @return the method
	 */
	public Method getMethod() {
		return this.method;
	}

}
