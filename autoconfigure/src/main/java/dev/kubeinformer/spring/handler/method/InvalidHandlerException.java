package dev.kubeinformer.spring.handler.method;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.bean.AnnotatedBean;
import dev.kubeinformer.spring.bean.BeanMethods;
import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when a bean annotated with {@code @InformerHandler} cannot be a handler.
 */
public class InvalidHandlerException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	private final String beanName;

	public InvalidHandlerException(AnnotatedBean<InformerHandler> bean, String problem, String action) {
		this(bean, problem, action, null);
	}

	public InvalidHandlerException(AnnotatedBean<InformerHandler> bean, String problem, String action,
			@Nullable Throwable cause) {
		super("%s %s".formatted(bean, problem), action, cause);
		this.beanName = bean.name();
	}

	/**
	 * Creates an exception for a method of the bean.
	 * @param bean the bean
	 * @param method the method
	 * @param problem the problem, as a relative clause
	 * @param action the remedy
	 * @param cause the cause
	 * @return the exception
	 */
	static InvalidHandlerException ofMethod(AnnotatedBean<InformerHandler> bean, Method method, String problem,
			String action, @Nullable Throwable cause) {
		return new InvalidHandlerException(bean,
				"has the method '%s', %s".formatted(BeanMethods.describe(bean, method), problem), action, cause);
	}

	/**
	 * Creates an exception for a method that cannot be called on the bean.
	 * @param bean the bean
	 * @param method the method
	 * @param cause the cause
	 * @return the exception
	 */
	public static InvalidHandlerException notInProxy(AnnotatedBean<InformerHandler> bean, Method method,
			@Nullable Throwable cause) {
		return ofMethod(bean, method, "which the bean's proxy does not have", BeanMethods.NOT_IN_PROXY, cause);
	}

	/**
	 * Returns the name of the bean.
	 * @return the name
	 */
	public String getBeanName() {
		return this.beanName;
	}

}
