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
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Finds beans with an annotation of the starter in one bean factory. Inspects the bean
 * method and the class of every bean, not the class of its proxy. Does not create beans.
 * Logs beans that have annotated methods but not the annotation. Internal to the starter.
 *
 * @param <A> the annotation
 * @param beanFactory the bean factory
 * @param annotationType the annotation of the beans
 * @param ofMethods the annotations of the beans' methods
 * @param scopeProblem the factory of the exception for a bean that is not a singleton
 */
public record BeanScanner<A extends Annotation>(ConfigurableListableBeanFactory beanFactory, Class<A> annotationType,
		List<Class<? extends Annotation>> ofMethods, ScopeProblem<A> scopeProblem) {

	private static final Logger logger = LoggerFactory.getLogger(BeanScanner.class);

	/**
	 * Packages of frameworks. Their many beans have no annotated methods, so they are
	 * skipped.
	 */
	private static final List<String> FRAMEWORKS = List.of("java.", "jakarta.", "org.springframework.");

	/**
	 * Finds the beans.
	 * @return the beans in the order of their definitions
	 */
	public List<AnnotatedBean<A>> scan() {
		List<AnnotatedBean<A>> beans = new ArrayList<>();
		LateBeans<A> late = new LateBeans<>(this);
		for (String name : this.beanFactory.getBeanNamesForType(Object.class)) {
			AnnotatedBean<A> bean = ScopedProxyUtils.isScopedTarget(name) ? null : inspect(name, late);
			if (bean != null) {
				beans.add(bean);
				late.found(bean);
			}
		}
		this.beanFactory.addBeanPostProcessor(late);
		return beans;
	}

	private @Nullable AnnotatedBean<A> inspect(String name, LateBeans<A> late) {
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
			boolean hidden = definition != null && !this.beanFactory.containsSingleton(name)
					&& definition.getResolvedFactoryMethod() != null;
			if (definition == null || !hidden || !late.warn(name, type, definition)) {
				warnOfUncalledMethods(name, type, hidden);
			}
			return null;
		}
		ResolvableType declared = (definition != null) ? definition.getResolvableType() : ResolvableType.NONE;
		AnnotatedBean<A> bean = new AnnotatedBean<>(name, type, declared, annotation);
		requireCallable(bean, (definition != null) ? definition.getScope() : null);
		return bean;
	}

	private void warnOfUncalledMethods(String name, Class<?> type, boolean hidden) {
		if (isOfFramework(type)) {
			return;
		}
		Set<Method> methods = annotatedMethods(type);
		if (!methods.isEmpty()) {
			logger.warn(
					"Bean '{}' ({}) has methods with {} that are never called: {}. Annotate its class, or its "
							+ "bean method, with @{}{}",
					name, type.getName(), names(), methods.stream().map(Method::getName).distinct().sorted().toList(),
					this.annotationType.getSimpleName(),
					hidden ? "; if its class is annotated, declare that class as the return type of the bean method"
							: "");
		}
	}

	/**
	 * Returns whether a class belongs to a framework and therefore has no annotations of
	 * the starter.
	 * @param type the class
	 * @return {@code true} if the class belongs to a framework
	 */
	static boolean isOfFramework(Class<?> type) {
		return FRAMEWORKS.stream().anyMatch(type.getName()::startsWith);
	}

	boolean isAnnotated(Class<?> type) {
		return AnnotatedElementUtils.hasAnnotation(type, this.annotationType);
	}

	/**
	 * Returns the methods of a class with an annotation of the starter.
	 * @param type the class
	 * @return the methods; empty if the methods of the class cannot be read
	 */
	Set<Method> annotatedMethods(Class<?> type) {
		try {
			return MethodIntrospector.selectMethods(type, this::isCalled);
		}
		catch (IllegalStateException | LinkageError ex) {
			logger.debug("The methods of class '{}' cannot be read", type.getName(), ex);
			return Set.of();
		}
	}

	private boolean isCalled(Method method) {
		return this.ofMethods.stream().anyMatch((each) -> AnnotatedElementUtils.hasAnnotation(method, each));
	}

	/**
	 * Lists the annotations of methods, for messages.
	 * @return the names of the annotations
	 */
	String names() {
		List<String> names = this.ofMethods.stream().map((each) -> "@" + each.getSimpleName()).toList();
		return names.stream().limit(names.size() - 1L).collect(Collectors.joining(", ")) + " or "
				+ names.get(names.size() - 1);
	}

	private @Nullable Class<?> targetClass(String name) {
		try {
			return AutoProxyUtils.determineTargetClass(this.beanFactory, name);
		}
		catch (Throwable ex) {
			// Ignore the bean: it is lazy, and its class cannot be loaded, so it does not
			// have the annotation.
			logger.debug("The class of bean '{}' cannot be determined", name, ex);
			return null;
		}
	}

	/**
	 * Returns the definition of a bean.
	 * @param name the name of the bean
	 * @return the definition; {@code null} if there is none
	 */
	@Nullable RootBeanDefinition definition(String name) {
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

	private void requireCallable(AnnotatedBean<A> bean, @Nullable String scope) {
		if (ThreadScopes.contains(this.beanFactory, scope)) {
			throw this.scopeProblem.of(bean,
					"has the scope '%s', which does not exist in the threads that call it".formatted(scope),
					"Make the bean a singleton. Pass it the data of that scope in another way, such as through a store that both read.");
		}
		if (!this.beanFactory.isSingleton(bean.name())) {
			throw this.scopeProblem.of(bean,
					"has the scope '%s', so there is no single bean to call"
						.formatted((scope != null) ? scope : "unknown"),
					"Make the bean a singleton, or give its scope a scoped proxy.");
		}
	}

	/**
	 * Factory of the exception for a bean that cannot be called because it is not a
	 * singleton.
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
