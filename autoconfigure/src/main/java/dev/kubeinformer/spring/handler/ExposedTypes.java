package dev.kubeinformer.spring.handler;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;

import org.springframework.aop.SpringProxy;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.beans.factory.support.AbstractBeanFactory;

/**
 * Classes of beans as others see them: of the proxy, where there is one. A bean that is
 * not created yet has none, so that those who make proxies are asked for it.
 */
final class ExposedTypes {

	private final ConfigurableListableBeanFactory beanFactory;

	ExposedTypes(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	Class<?> of(HandlerBean bean) {
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
	 * Returns whether a call of a method on a bean does not reach the object behind its
	 * proxy: a proxy that is a subclass cannot override what is final.
	 * @param method the method as it is called
	 * @param exposed the class of the bean as others see it
	 * @return whether the call stays at the proxy
	 */
	static boolean bypassesProxy(Method method, Class<?> exposed) {
		return SpringProxy.class.isAssignableFrom(exposed) && !Proxy.isProxyClass(exposed)
				&& Modifier.isFinal(method.getModifiers()) && !Modifier.isStatic(method.getModifiers());
	}

}
