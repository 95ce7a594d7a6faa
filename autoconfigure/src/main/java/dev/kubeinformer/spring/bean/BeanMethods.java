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
import org.springframework.util.ReflectionUtils;

/**
 * Methods of beans as others can call them: those of the proxy, where there is one. A
 * bean that is not created yet has none, so that those who make proxies are asked for it.
 * Internal to the starter.
 */
public final class BeanMethods {

	/** What to do about a method that the bean's proxy does not have. */
	public static final String NOT_IN_PROXY = "Make the method neither private nor final, or add it to an interface that the proxy implements, "
			+ "or proxy the class (proxyTargetClass=true).";

	private final ConfigurableListableBeanFactory beanFactory;

	/**
	 * Creates the finder of methods.
	 * @param beanFactory the factory of the beans
	 */
	public BeanMethods(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Returns the class of a bean as others see it.
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
	 * Returns a method as it can be called on the bean.
	 * @param bean the bean
	 * @param method the method of its class
	 * @return the method, accessible
	 * @throws IllegalStateException if the bean's proxy does not have it
	 */
	public Method invocable(AnnotatedBean<?> bean, Method method) {
		Class<?> exposed = exposedType(bean);
		Method invocable = AopUtils.selectInvocableMethod(method, exposed);
		if (bypassesProxy(invocable, exposed)) {
			throw new IllegalStateException("The method is final, so that the proxy cannot pass its calls on");
		}
		ReflectionUtils.makeAccessible(invocable);
		return invocable;
	}

	/**
	 * Returns whether a call of a method on a bean does not reach the object behind its
	 * proxy: a proxy that is a subclass cannot override what is final.
	 * @param method the method as it is called
	 * @param exposed the class of the bean as others see it
	 * @return whether the call stays at the proxy
	 */
	public static boolean bypassesProxy(Method method, Class<?> exposed) {
		return SpringProxy.class.isAssignableFrom(exposed) && !Proxy.isProxyClass(exposed)
				&& Modifier.isFinal(method.getModifiers()) && !Modifier.isStatic(method.getModifiers());
	}

	/**
	 * Calls a method.
	 * @param method the method
	 * @param bean the object to call it on
	 * @param arguments the arguments
	 * @return what it returns
	 * @throws Exception what it throws
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
	 * Returns a method with simple names, as it is written in the source.
	 * @param bean the bean
	 * @param method the method
	 * @return its text
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
