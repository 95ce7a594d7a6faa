package dev.kubeinformer.spring.reconciler.method;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.bean.AnnotatedBean;
import dev.kubeinformer.spring.bean.BeanMethods;
import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when a bean annotated with {@code @Reconciler} cannot be a reconciler.
 */
public class InvalidReconcilerException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	private final String beanName;

	public InvalidReconcilerException(AnnotatedBean<Reconciler> bean, String problem, String action) {
		this(bean, problem, action, null);
	}

	public InvalidReconcilerException(AnnotatedBean<Reconciler> bean, String problem, String action,
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
	public static InvalidReconcilerException ofMethod(AnnotatedBean<Reconciler> bean, Method method, String problem,
			String action, @Nullable Throwable cause) {
		return new InvalidReconcilerException(bean,
				"has the method '%s', %s".formatted(BeanMethods.describe(bean, method), problem), action, cause);
	}

	public static InvalidReconcilerException ofMethod(AnnotatedBean<Reconciler> bean, Method method, String problem,
			String action) {
		return ofMethod(bean, method, problem, action, null);
	}

	/**
	 * Returns the name of the bean.
	 * @return the name
	 */
	public String getBeanName() {
		return this.beanName;
	}

}
