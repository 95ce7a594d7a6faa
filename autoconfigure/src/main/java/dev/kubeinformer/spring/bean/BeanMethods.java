package dev.kubeinformer.spring.bean;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.util.StringJoiner;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.beans.factory.support.AbstractBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the methods of beans that callers can invoke. If a bean has a proxy, these are
 * the methods of the proxy. For a bean that has not been created, Spring's proxy creators
 * predict the class of the proxy. Internal to the starter.
 */
public final class BeanMethods {

	/** Remedy for a method that the bean's proxy does not have. */
	public static final String NOT_IN_PROXY = "Make the method neither private nor final, or add it to an interface that the proxy implements, "
			+ "or proxy the class (proxyTargetClass=true).";

	private final ConfigurableListableBeanFactory beanFactory;

	/**
	 * Creates an instance.
	 * @param beanFactory the factory of the beans
	 */
	public BeanMethods(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Returns the exposed class of a bean, which may be a proxy class.
	 * @param bean the bean
	 * @return the class
	 */
	public Class<?> exposedType(AnnotatedBean<?> bean) {
		Class<?> type = this.beanFactory.getType(bean.name());
		Class<?> known = (type != null) ? type : bean.type();
		if (this.beanFactory.containsSingleton(bean.name()) || SpringProxy.class.isAssignableFrom(known)
				|| !(this.beanFactory instanceof AbstractBeanFactory factory)) {
			return known;
		}
		for (BeanPostProcessor processor : factory.getBeanPostProcessors()) {
			if (processor instanceof SmartInstantiationAwareBeanPostProcessor proxying) {
				known = proxying.determineBeanType(known, bean.name());
			}
		}
		return known;
	}

	/**
	 * Returns the method through which callers can invoke a method of the bean's class.
	 * If the bean has a proxy, it is the method of the proxy.
	 * @param bean the bean
	 * @param method the method of the bean's class
	 * @return the method, which is made accessible
	 * @throws IllegalStateException if the bean's proxy does not have the method, or
	 * cannot delegate its calls
	 */
	public Method invocable(AnnotatedBean<?> bean, Method method) {
		Class<?> exposed = exposedType(bean);
		Method invocable = AopUtils.selectInvocableMethod(method, exposed);
		if (bypassesProxy(invocable, exposed)) {
			throw new IllegalStateException("The method is final, so the proxy cannot delegate its calls");
		}
		ReflectionUtils.makeAccessible(invocable);
		return invocable;
	}

	/**
	 * Returns advice for a bean in which no annotated method was found, if the bean may
	 * have methods that are not known yet. Until a lazy bean is created, only the return
	 * type of its bean method is known, and this type may be an interface.
	 * @param bean the bean
	 * @return a sentence that begins with a space; empty if all methods of the bean are
	 * known
	 */
	public String adviceIfHidden(AnnotatedBean<?> bean) {
		boolean hidden = !this.beanFactory.containsSingleton(bean.name())
				&& this.beanFactory.containsBeanDefinition(bean.name())
				&& this.beanFactory.getMergedBeanDefinition(bean.name()) instanceof RootBeanDefinition definition
				&& definition.getResolvedFactoryMethod() != null && !Modifier.isFinal(bean.type().getModifiers());
		return hidden
				? " Declare the class of the bean as the return type of its bean method: only '%s' is known before this lazy bean is created."
					.formatted(bean.type().getName())
				: "";
	}

	/**
	 * Returns whether a method is final in a bean with a subclass proxy. The proxy cannot
	 * override such a method, so a call does not reach the object behind the proxy.
	 * @param method the method, as callers invoke it
	 * @param exposed the exposed class of the bean
	 * @return {@code true} if a call does not reach the object
	 */
	public static boolean bypassesProxy(Method method, Class<?> exposed) {
		return SpringProxy.class.isAssignableFrom(exposed) && !Proxy.isProxyClass(exposed)
				&& Modifier.isFinal(method.getModifiers()) && !Modifier.isStatic(method.getModifiers());
	}

	/**
	 * Calls a method.
	 * @param method the method
	 * @param bean the object on which to call the method
	 * @param arguments the arguments
	 * @return the return value
	 * @throws Exception the exception of the method
	 */
	public static @Nullable Object invoke(Method method, Object bean, @Nullable Object... arguments) throws Exception {
		try {
			return method.invoke(bean, arguments);
		}
		catch (InvocationTargetException ex) {
			if (ex.getTargetException() instanceof Error error) {
				throw error;
			}
			throw (ex.getTargetException() instanceof Exception exception) ? exception : ex;
		}
	}

	/**
	 * Returns a description of a method with simple names, as in the source.
	 * @param bean the bean
	 * @param method the method
	 * @return the description
	 */
	public static String describe(AnnotatedBean<?> bean, Method method) {
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

}
