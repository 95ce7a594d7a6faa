package dev.kubeinformer.spring.handler;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;

import dev.kubeinformer.spring.annotation.InformerHandler;

/**
 * Finder of {@link InformerHandler} beans in one bean factory. It looks at every bean's
 * class behind proxies and at every bean method, and creates no bean. Beans with methods
 * for events and without the annotation are named in the log.
 */
final class HandlerScanner {

	private static final Logger logger = LoggerFactory.getLogger(HandlerScanner.class);

	/** Their beans have no methods of ours, and are many. */
	private static final List<String> FRAMEWORKS = List.of("java.", "jakarta.", "org.springframework.");

	private final ConfigurableListableBeanFactory beanFactory;

	HandlerScanner(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	List<HandlerBean> scan() {
		List<HandlerBean> beans = new ArrayList<>();
		for (String name : this.beanFactory.getBeanNamesForType(Object.class)) {
			HandlerBean bean = ScopedProxyUtils.isScopedTarget(name) ? null : inspect(name);
			if (bean != null) {
				beans.add(bean);
			}
		}
		return beans;
	}

	private @Nullable HandlerBean inspect(String name) {
		Class<?> type = targetClass(name);
		String definitionName = name;
		if (type != null && ScopedObject.class.isAssignableFrom(type)) {
			definitionName = ScopedProxyUtils.getTargetBeanName(name);
			type = targetClass(definitionName);
		}
		if (type == null) {
			return null;
		}
		RootBeanDefinition definition = definition(definitionName);
		InformerHandler annotation = annotation(definition, type);
		if (annotation == null) {
			warnOfUncalledMethods(name, type);
			return null;
		}
		ResolvableType declared = (definition != null) ? definition.getResolvableType() : ResolvableType.NONE;
		HandlerBean bean = new HandlerBean(name, type, declared, annotation);
		requireSingleton(bean);
		return bean;
	}

	private static void warnOfUncalledMethods(String name, Class<?> type) {
		if (FRAMEWORKS.stream().anyMatch(type.getName()::startsWith)) {
			return;
		}
		try {
			Set<Method> methods = MethodIntrospector.selectMethods(type, HandlerMethodReader::isAnnotated);
			if (!methods.isEmpty()) {
				logger.warn(
						"Bean '{}' ({}) has methods with @OnAdd, @OnUpdate or @OnDelete that are never called: {}. "
								+ "Annotate its class, or its bean method, with @InformerHandler",
						name, type.getName(), methods.stream().map(Method::getName).distinct().sorted().toList());
			}
		}
		catch (IllegalStateException | LinkageError ex) {
			logger.debug("The methods of bean '{}' cannot be read", name, ex);
		}
	}

	private @Nullable Class<?> targetClass(String name) {
		try {
			return AutoProxyUtils.determineTargetClass(this.beanFactory, name);
		}
		catch (Throwable ex) {
			// A lazy bean whose class cannot be loaded is no handler.
			logger.debug("The class of bean '{}' cannot be determined", name, ex);
			return null;
		}
	}

	private @Nullable RootBeanDefinition definition(String name) {
		return (this.beanFactory.containsBeanDefinition(name)
				&& this.beanFactory.getMergedBeanDefinition(name) instanceof RootBeanDefinition definition) ? definition
						: null;
	}

	private static @Nullable InformerHandler annotation(@Nullable RootBeanDefinition definition, Class<?> type) {
		Method factoryMethod = (definition != null) ? definition.getResolvedFactoryMethod() : null;
		InformerHandler annotation = (factoryMethod != null)
				? AnnotatedElementUtils.findMergedAnnotation(factoryMethod, InformerHandler.class) : null;
		return (annotation != null) ? annotation
				: AnnotatedElementUtils.findMergedAnnotation(type, InformerHandler.class);
	}

	private void requireSingleton(HandlerBean bean) {
		if (!this.beanFactory.isSingleton(bean.name())) {
			BeanDefinition definition = definition(bean.name());
			String scope = (definition != null) ? definition.getScope() : "unknown";
			throw new InvalidHandlerException(bean,
					"has the scope '%s'; there would be no one bean to call".formatted(scope),
					"Make the bean a singleton, or give its scope a scoped proxy.");
		}
	}

}
