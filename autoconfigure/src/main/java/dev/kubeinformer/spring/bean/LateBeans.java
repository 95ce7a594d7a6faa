package dev.kubeinformer.spring.bean;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.util.ClassUtils;

/**
 * Warns of annotated beans that a {@link BeanScanner} does not find: the class of a lazy
 * bean is known only when the bean is created. If the bytecode of the bean method shows
 * the class, the warning is logged at the start, otherwise when the bean is created.
 *
 * @param <A> the annotation
 */
final class LateBeans<A extends Annotation> implements BeanPostProcessor {

	private static final Logger logger = LoggerFactory.getLogger(BeanScanner.class);

	private final BeanScanner<A> scanner;

	/** Classes of the beans that the search found, by bean name. */
	private final Map<String, Class<?>> found = new ConcurrentHashMap<>();

	/** Names of beans that need no further check. */
	private final Set<String> checked = ConcurrentHashMap.newKeySet();

	LateBeans(BeanScanner<A> scanner) {
		this.scanner = scanner;
	}

	void found(AnnotatedBean<A> bean) {
		this.found.put(bean.name(), bean.type());
	}

	/**
	 * Warns of a bean that has not been created, if its bean method returns an annotated
	 * class.
	 * @param name the name of the bean
	 * @param declared the known type of the bean, which may be a supertype of the actual
	 * class
	 * @param definition the definition of the bean
	 * @return {@code true} if there was a warning
	 */
	boolean warn(String name, Class<?> declared, RootBeanDefinition definition) {
		Method method = definition.getResolvedFactoryMethod();
		if (method == null || Modifier.isFinal(declared.getModifiers())
				|| BeanScanner.isOfFramework(method.getDeclaringClass())
				|| FactoryBean.class.isAssignableFrom(method.getReturnType())) {
			return false;
		}
		for (Class<?> type : ReturnedTypes.of(method)) {
			if (type != declared && declared.isAssignableFrom(type) && this.scanner.isAnnotated(type)) {
				this.checked.add(name);
				warn(name, type, method);
				return true;
			}
		}
		return false;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (!(bean instanceof FactoryBean) && this.scanner.beanFactory().containsLocalBean(beanName)
				&& this.checked.add(beanName)) {
			Class<?> type = ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(bean));
			if (!BeanScanner.isOfFramework(type)) {
				check(originalName(beanName), type);
			}
		}
		return bean;
	}

	private static String originalName(String name) {
		String prefix = ScopedProxyUtils.getTargetBeanName("");
		return ScopedProxyUtils.isScopedTarget(name) ? name.substring(prefix.length()) : name;
	}

	private void check(String name, Class<?> type) {
		Class<?> known = this.found.get(name);
		if (known != null) {
			warnOfMethods(name, known, type);
		}
		else if (this.scanner.isAnnotated(type)) {
			RootBeanDefinition definition = this.scanner.definition(name);
			warn(name, type, (definition != null) ? definition.getResolvedFactoryMethod() : null);
		}
	}

	private void warn(String name, Class<?> type, @Nullable Method factory) {
		logger.warn("Bean '{}' ({}) has @{} but is never called: {}", name, type.getName(),
				this.scanner.annotationType().getSimpleName(), reason(type, factory));
	}

	private void warnOfMethods(String name, Class<?> known, Class<?> type) {
		Set<Method> seen = this.scanner.annotatedMethods(known);
		List<String> unseen = this.scanner.annotatedMethods(type)
			.stream()
			.filter((method) -> seen.stream()
				.noneMatch((each) -> each.getName().equals(method.getName())
						&& each.getParameterCount() == method.getParameterCount()))
			.map(Method::getName)
			.distinct()
			.sorted()
			.toList();
		if (!unseen.isEmpty()) {
			RootBeanDefinition definition = this.scanner.definition(name);
			logger.warn("Bean '{}' ({}) has methods with {} that are never called: {}; {}", name, type.getName(),
					this.scanner.names(), unseen,
					reason(type, (definition != null) ? definition.getResolvedFactoryMethod() : null));
		}
	}

	private static String reason(Class<?> type, @Nullable Method factory) {
		if (factory != null && factory.getReturnType().isAssignableFrom(type)) {
			return ("its bean method '%s.%s' declares '%s', and no other class of this lazy bean is known before it is created. "
					+ "Declare the class as the return type of the bean method, or create the bean at the start: @Lazy(false)")
				.formatted(ClassUtils.getUserClass(factory.getDeclaringClass()).getName(), factory.getName(),
						factory.getReturnType().getName());
		}
		return "its class was not known at the start. Define the bean with its class before the context is refreshed, "
				+ "or let it be created at the start: @Lazy(false)";
	}

}
