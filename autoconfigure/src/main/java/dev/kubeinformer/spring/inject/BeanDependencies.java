package dev.kubeinformer.spring.inject;

import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

import dev.kubeinformer.informer.Informer;

/**
 * Finds all dependencies of a bean, to learn which caches the bean reads. The description
 * of an injection point does not contain the name of its bean. Therefore injection points
 * are compared with the classes and bean methods of the dependencies that the bean
 * factory has recorded. Does not create beans.
 */
final class BeanDependencies {

	private static final List<String> FRAMEWORKS = List.of("java.", "org.springframework.",
			"dev.kubeinformer.spring.autoconfigure.", "dev.kubeinformer.spring.inject.");

	private final Map<Member, Set<Injection>> injections;

	private final Set<Node> seen = new HashSet<>();

	private final Deque<Node> open = new ArrayDeque<>();

	private final Set<Informer<?>> found = new LinkedHashSet<>();

	BeanDependencies(Map<Member, Set<Injection>> injections) {
		this.injections = injections;
	}

	Set<Informer<?>> informers(ConfigurableListableBeanFactory beanFactory, String beanName) {
		if (!this.injections.isEmpty()) {
			add(beanFactory, beanName);
			for (Node next = this.open.poll(); next != null; next = this.open.poll()) {
				visit(next.factory(), next.name());
			}
		}
		return this.found;
	}

	private void add(ConfigurableListableBeanFactory beanFactory, String name) {
		ConfigurableListableBeanFactory factory = beanFactory;
		while (!factory.containsLocalBean(name)) {
			BeanFactory parent = factory.getParentBeanFactory();
			if (!(parent instanceof ConfigurableListableBeanFactory listable)) {
				return;
			}
			factory = listable;
		}
		Node node = new Node(factory, name);
		if (this.seen.add(node)) {
			this.open.add(node);
		}
	}

	private void visit(ConfigurableListableBeanFactory factory, String name) {
		RootBeanDefinition definition = (factory.containsBeanDefinition(name)
				&& factory.getMergedBeanDefinition(name) instanceof RootBeanDefinition root) ? root : null;
		Method factoryMethod = (definition != null) ? definition.getResolvedFactoryMethod() : null;
		Class<?> type = type(factory, name, definition);
		addInjections(factoryMethod, type);
		if (isOfTheApplication((factoryMethod != null) ? factoryMethod.getDeclaringClass() : type)) {
			for (ResolvableType late : DeferredInjectionPoints.types(factoryMethod, type)) {
				for (String dependency : factory.getBeanNamesForType(late, true, false)) {
					add(factory, dependency);
				}
			}
		}
		for (String dependency : factory.getDependenciesForBean(name)) {
			add(factory, dependency);
		}
		if (definition != null && definition.getFactoryBeanName() != null) {
			// Add this dependency, because contexts that were processed ahead of time do
			// not record it.
			add(factory, definition.getFactoryBeanName());
		}
		add(factory, ScopedProxyUtils.getTargetBeanName(name));
	}

	private void addInjections(@Nullable Method factoryMethod, @Nullable Class<?> type) {
		this.injections.values()
			.stream()
			.flatMap(Collection::stream)
			.filter((injection) -> injection.isInto(factoryMethod, type))
			.forEach((injection) -> this.found.add(injection.informer()));
	}

	private static boolean isOfTheApplication(@Nullable Class<?> owner) {
		// A bean of a framework may be able to request many beans later. These do not
		// count as dependencies.
		return owner != null && FRAMEWORKS.stream().noneMatch(owner.getName()::startsWith);
	}

	private static @Nullable Class<?> type(ConfigurableListableBeanFactory factory, String name,
			@Nullable RootBeanDefinition definition) {
		Object singleton = factory.containsSingleton(name) ? factory.getSingleton(name) : null;
		if (singleton != null) {
			return ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(singleton));
		}
		if (definition == null) {
			return null;
		}
		Class<?> type = definition.getTargetType();
		return (type == null && definition.hasBeanClass()) ? ClassUtils.getUserClass(definition.getBeanClass()) : type;
	}

	/**
	 * Bean in a factory.
	 *
	 * @param factory the factory with the bean
	 * @param name the name of the bean
	 */
	private record Node(ConfigurableListableBeanFactory factory, String name) {

	}

}
