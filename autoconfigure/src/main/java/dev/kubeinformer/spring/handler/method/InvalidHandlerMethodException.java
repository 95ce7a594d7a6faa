package dev.kubeinformer.spring.handler.method;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.bean.AnnotatedBean;
import dev.kubeinformer.spring.bean.AsyncMethods;
import dev.kubeinformer.spring.bean.BeanMethods;

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

	InvalidHandlerMethodException(AnnotatedBean<InformerHandler> bean, Method method, String problem, String action,
			@Nullable Throwable cause) {
		super(bean, "has the method '%s', %s".formatted(BeanMethods.describe(bean, method), problem), action, cause);
		this.method = method;
	}

	static InvalidHandlerMethodException notCallable(AnnotatedBean<InformerHandler> bean, Method method,
			String annotation) {
		String problem = "which cannot be called as @%s method".formatted(annotation);
		String later = AsyncMethods.later(method);
		if (later != null) {
			problem += ": " + later;
		}
		else if (method.getReturnType() != void.class) {
			problem += ": it returns something, which would be ignored";
		}
		return new InvalidHandlerMethodException(bean, method, problem, ALLOWED, null);
	}

	public static InvalidHandlerMethodException notInProxy(AnnotatedBean<InformerHandler> bean, Method method,
			@Nullable Throwable cause) {
		return new InvalidHandlerMethodException(bean, method, "which the bean's proxy does not have",
				BeanMethods.NOT_IN_PROXY, cause);
	}

	/**
	 * Returns the method in question.
	 * @return the method
	 */
	public Method getMethod() {
		return this.method;
	}

}
