package dev.kubeinformer.spring.bean;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

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

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Finds beans with an annotation of the starter in one bean factory. Inspects the class
 * behind any proxies and the bean method of every bean, without creating beans. Logs
 * beans that have annotated methods but not the annotation. Internal to the starter.
 *
 * @param <A> the annotation
 * @param beanFactory the bean factory
 * @param annotationType the annotation of the beans
 * @param ofMethods the annotations of their methods
 * @param scopeProblem the factory of the exception for a bean that is not a singleton
 */
public record BeanScanner<A extends Annotation>(ConfigurableListableBeanFactory beanFactory, Class<A> annotationType,
		List<Class<? extends Annotation>> ofMethods, ScopeProblem<A> scopeProblem) {

	private static final Logger logger = LoggerFactory.getLogger(BeanScanner.class);

	/** Packages of frameworks, whose many beans have no annotated methods. */
	private static final List<String> FRAMEWORKS = List.of("java.", "jakarta.", "org.springframework.");

	/**
	 * Finds the beans.
	 * @return the beans in the order of their definitions
	 */
	public List<AnnotatedBean<A>> scan() {
		List<AnnotatedBean<A>> beans = new ArrayList<>();
		for (String name : this.beanFactory.getBeanNamesForType(Object.class)) {
			AnnotatedBean<A> bean = ScopedProxyUtils.isScopedTarget(name) ? null : inspect(name);
			if (bean != null) {
				beans.add(bean);
			}
		}
		return beans;
	}

	private @Nullable AnnotatedBean<A> inspect(String name) {
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
		A annotation = annotation(definition, type);
		if (annotation == null) {
			warnOfUncalledMethods(name, type);
			return null;
		}
		ResolvableType declared = (definition != null) ? definition.getResolvableType() : ResolvableType.NONE;
		AnnotatedBean<A> bean = new AnnotatedBean<>(name, type, declared, annotation);
		requireSingleton(bean);
		return bean;
	}

	private void warnOfUncalledMethods(String name, Class<?> type) {
		if (FRAMEWORKS.stream().anyMatch(type.getName()::startsWith)) {
			return;
		}
		try {
			Set<Method> methods = MethodIntrospector.selectMethods(type, this::isAnnotated);
			if (!methods.isEmpty()) {
				logger.warn(
						"Bean '{}' ({}) has methods with {} that are never called: {}. Annotate its "
								+ "class, or its bean method, with @{}",
						name, type.getName(), names(),
						methods.stream().map(Method::getName).distinct().sorted().toList(),
						this.annotationType.getSimpleName());
			}
		}
		catch (IllegalStateException | LinkageError ex) {
			logger.debug("The methods of bean '{}' cannot be read", name, ex);
		}
	}

	private boolean isAnnotated(Method method) {
		return this.ofMethods.stream().anyMatch((each) -> AnnotatedElementUtils.hasAnnotation(method, each));
	}

	private String names() {
		List<String> names = this.ofMethods.stream().map((each) -> "@" + each.getSimpleName()).toList();
		return names.stream().limit(names.size() - 1L).collect(Collectors.joining(", ")) + " or "
				+ names.get(names.size() - 1);
	}

	private @Nullable Class<?> targetClass(String name) {
		try {
			return AutoProxyUtils.determineTargetClass(this.beanFactory, name);
		}
		catch (Throwable ex) {
			// A lazy bean whose class cannot be loaded does not have the annotation.
			logger.debug("The class of bean '{}' cannot be determined", name, ex);
			return null;
		}
	}

	private @Nullable RootBeanDefinition definition(String name) {
		return (this.beanFactory.containsBeanDefinition(name)
				&& this.beanFactory.getMergedBeanDefinition(name) instanceof RootBeanDefinition definition) ? definition
						: null;
	}

	private @Nullable A annotation(@Nullable RootBeanDefinition definition, Class<?> type) {
		Method factoryMethod = (definition != null) ? definition.getResolvedFactoryMethod() : null;
		A annotation = (factoryMethod != null)
				? AnnotatedElementUtils.findMergedAnnotation(factoryMethod, this.annotationType) : null;
		return (annotation != null) ? annotation
				: AnnotatedElementUtils.findMergedAnnotation(type, this.annotationType);
	}

	private void requireSingleton(AnnotatedBean<A> bean) {
		if (!this.beanFactory.isSingleton(bean.name())) {
			BeanDefinition definition = definition(bean.name());
			String scope = (definition != null) ? definition.getScope() : "unknown";
			throw this.scopeProblem.of(bean, "has the scope '%s', so there is no single bean to call".formatted(scope),
					"Make the bean a singleton, or give its scope a scoped proxy.");
		}
	}

	/**
	 * Factory of the exception for a bean that cannot be called.
	 *
	 * @param <A> the annotation
	 */
	@FunctionalInterface
	public interface ScopeProblem<A extends Annotation> {

		/**
		 * Creates the exception.
		 * @param bean the bean
		 * @param problem the problem, as the end of a sentence
		 * @param action the remedy
		 * @return the exception
		 */
		InformerConfigurationException of(AnnotatedBean<A> bean, String problem, String action);

	}

}
