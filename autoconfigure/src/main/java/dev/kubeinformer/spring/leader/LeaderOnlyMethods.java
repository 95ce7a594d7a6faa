package dev.kubeinformer.spring.leader;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.kubernetes.client.informer.ResourceEventHandler;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.Aware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.util.ClassUtils;

import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.LeaderOnly;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnCleanup;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.annotation.OnUpdate;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Matches leader-only methods: methods with {@link LeaderOnly}, and all non-private
 * methods of a type with this annotation, except methods of {@link Object} and methods
 * that the container calls to run or inspect a bean.
 */
final class LeaderOnlyMethods extends StaticMethodMatcherPointcut {

	/** Interfaces through which the container calls beans. */
	private static final List<Class<?>> CALLBACKS = List.of(Lifecycle.class, SmartLifecycle.class,
			InitializingBean.class, DisposableBean.class, SmartInitializingSingleton.class, AutoCloseable.class,
			SchedulingConfigurer.class);

	/**
	 * Packages with interfaces through which the container inspects a bean, for example
	 * for its order. An exception in such a call makes the start fail.
	 */
	private static final List<String> CONTAINER = List.of("org.springframework.aop.", "org.springframework.beans.",
			"org.springframework.boot.", "org.springframework.context.", "org.springframework.core.",
			"org.springframework.scheduling.");

	/**
	 * Annotations of methods that the engine calls. Each maps to the annotation of the
	 * class, which has its own attribute {@code leaderOnly}.
	 */
	private static final Map<Class<? extends Annotation>, Class<?>> CALLED = Map.of(OnAdd.class, InformerHandler.class,
			OnUpdate.class, InformerHandler.class, OnDelete.class, InformerHandler.class, Reconcile.class,
			Reconciler.class, OnCleanup.class, Reconciler.class);

	/**
	 * Packages of frameworks. Their many classes do not have the annotation, so they are
	 * skipped.
	 */
	private static final String[] FRAMEWORKS = { "java.", "jakarta.", "org.springframework.", "org.apache.",
			"tools.jackson.", "io.micrometer." };

	/** Annotations with their own {@code leaderOnly} attribute. */
	private static final List<Class<? extends Annotation>> HANDLERS = List.of(InformerHandler.class, Reconciler.class);

	/** Classes whose methods have been checked. */
	private final Set<Class<?>> checked = ConcurrentHashMap.newKeySet();

	LeaderOnlyMethods() {
		setClassFilter(LeaderOnlyMethods::isCandidate);
	}

	/**
	 * Returns whether a class may have leader-only methods. Excludes most classes
	 * quickly.
	 * @param type the class
	 * @return {@code true} if the class must be checked
	 */
	static boolean isCandidate(Class<?> type) {
		String name = type.getName();
		for (String framework : FRAMEWORKS) {
			if (name.startsWith(framework)) {
				return false;
			}
		}
		return AnnotationUtils.isCandidateClass(type, LeaderOnly.class);
	}

	@Override
	public boolean matches(Method method, Class<?> targetClass) {
		Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
		return isAnnotated(specific) || isAnnotated(method) || isOfAnnotated(specific, targetClass);
	}

	private static boolean isAnnotated(Method method) {
		return AnnotatedElementUtils.hasAnnotation(method, LeaderOnly.class);
	}

	private static boolean isOfAnnotated(Method method, Class<?> type) {
		return !Modifier.isPrivate(method.getModifiers()) && !Modifier.isStatic(method.getModifiers())
				&& !method.isSynthetic() && AnnotatedElementUtils.hasAnnotation(type, LeaderOnly.class)
				&& !isCallback(method, type);
	}

	private static boolean isCallback(Method method, Class<?> type) {
		return method.getDeclaringClass() == Object.class || isOf(Object.class, method)
				|| AnnotatedElementUtils.hasAnnotation(method, Bean.class) || hasCallback(type, method);
	}

	private static boolean hasCallback(Class<?> type, Method method) {
		boolean asks = method.getReturnType() != void.class && isOfContainer(type);
		return (type.isInterface() && (asks || isCallback(type)) && isOf(type, method))
				|| Stream.of(type.getInterfaces()).anyMatch((each) -> hasCallback(each, method))
				|| (type.getSuperclass() != null && hasCallback(type.getSuperclass(), method));
	}

	private static boolean isCallback(Class<?> type) {
		return CALLBACKS.contains(type) || Aware.class.isAssignableFrom(type);
	}

	private static boolean isOfContainer(Class<?> type) {
		return CONTAINER.stream().anyMatch(type.getName()::startsWith);
	}

	private static boolean isOf(Class<?> type, Method method) {
		return ClassUtils.hasMethod(type, method.getName(), method.getParameterTypes());
	}

	/**
	 * Rejects methods that a proxy cannot guard. Checks each class once.
	 * @param beanName the name of the bean
	 * @param type the class of the bean behind any proxies
	 * @throws InformerConfigurationException if such a method exists
	 */
	void check(String beanName, Class<?> type) {
		if (this.checked.contains(type)) {
			return;
		}
		for (Method method : annotated(type)) {
			int modifiers = method.getModifiers();
			if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers)) {
				throw unguarded(beanName, method, Modifier.isPrivate(modifiers) ? "is private" : "is static");
			}
			if (AnnotatedElementUtils.hasAnnotation(method, Bean.class)) {
				throw new InformerConfigurationException(
						"@LeaderOnly is at the @Bean method %s, which each replica calls to create the bean"
							.formatted(describe(beanName, method)),
						"Annotate the class of the bean that the method creates, or methods of it.");
			}
		}
		for (Method method : MethodIntrospector
			.selectMethods(type,
					(MethodIntrospector.MetadataLookup<Boolean>) (each) -> matches(each, type) ? true : null)
			.keySet()) {
			refuseCalled(beanName, method);
			// A final method that an annotated class inherits is allowed.
			if (Modifier.isFinal(method.getModifiers()) && (isAnnotated(method)
					|| AnnotatedElementUtils.hasAnnotation(method.getDeclaringClass(), LeaderOnly.class))) {
				throw unguarded(beanName, method, "is final");
			}
		}
		this.checked.add(type);
	}

	private static InformerConfigurationException unguarded(String beanName, Method method, String problem) {
		return new InformerConfigurationException(
				"@LeaderOnly method %s %s, so its calls bypass the bean's proxy".formatted(describe(beanName, method),
						problem),
				"Make the method one of the bean that is neither private, static nor final. If that is not possible, "
						+ "inject Leadership and call isLeader().");
	}

	private static String describe(String beanName, Method method) {
		return "'%s.%s' of bean '%s'".formatted(method.getDeclaringClass().getName(), method.getName(), beanName);
	}

	// If a call were skipped, its event would be lost, because the event is not delivered
	// again.
	private static void refuseCalled(String beanName, Method method) {
		CALLED.forEach((annotation, instead) -> {
			if (AnnotatedElementUtils.hasAnnotation(method, annotation)) {
				throw new InformerConfigurationException(
						"@LeaderOnly is at the @%s method %s, or at its class, so a standby would lose the events or runs that it skips"
							.formatted(annotation.getSimpleName(), describe(beanName, method)),
						"Remove @LeaderOnly there, and set leaderOnly = \"true\" at @%s."
							.formatted(instead.getSimpleName()));
			}
		});
	}

	/**
	 * Rejects an annotated class that the engine calls, because an event that a standby
	 * skips would count as handled.
	 * @param beanName the name of the bean
	 * @param type the class of the bean behind any proxies
	 * @param annotations the check whether the bean has a certain annotation
	 * @throws InformerConfigurationException if the engine calls the class
	 */
	void checkHandler(String beanName, Class<?> type, Predicate<Class<? extends Annotation>> annotations) {
		if (!AnnotatedElementUtils.hasAnnotation(type, LeaderOnly.class)) {
			return;
		}
		for (Class<? extends Annotation> each : HANDLERS) {
			if (annotations.test(each)) {
				throw handler(beanName, type, "a bean with @" + each.getSimpleName(), "@" + each.getSimpleName());
			}
		}
		if (ResourceEventHandler.class.isAssignableFrom(type)) {
			throw handler(beanName, type, "a ResourceEventHandler", "@InformerHandler");
		}
	}

	private static InformerConfigurationException handler(String beanName, Class<?> type, String what,
			String annotation) {
		return new InformerConfigurationException(
				"@LeaderOnly is at the class '%s' of bean '%s', which is %s: what a replica that does not lead skips would count as handled"
					.formatted(type.getName(), beanName, what),
				"Remove @LeaderOnly, and write leaderOnly = \"true\" at its %s instead.".formatted(annotation));
	}

	/**
	 * Rejects leader-only methods that the proxy of a bean does not have.
	 * @param beanName the name of the bean
	 * @param type the class of the bean behind any proxies
	 * @param proxy the bean
	 * @throws InformerConfigurationException if such a method exists
	 */
	void checkProxy(String beanName, Class<?> type, Object proxy) {
		if (!Proxy.isProxyClass(proxy.getClass())) {
			return;
		}
		for (Method method : annotated(type)) {
			if (!method.getDeclaringClass().isInterface() && !isReachable(method, proxy.getClass())) {
				throw new InformerConfigurationException(
						"@LeaderOnly method %s is in none of the interfaces of the bean's JDK proxy"
							.formatted(describe(beanName, method)),
						"Add the method to an interface that the proxy implements, or let the bean be proxied by its class "
								+ "(proxyTargetClass = true).");
			}
		}
	}

	private static boolean isReachable(Method method, Class<?> proxy) {
		return ClassUtils.getAllInterfacesForClassAsSet(proxy).stream().anyMatch((each) -> isOf(each, method));
	}

	private static Set<Method> annotated(Class<?> type) {
		return MethodIntrospector
			.selectMethods(type,
					(MethodIntrospector.MetadataLookup<Boolean>) (method) -> isAnnotated(method) ? true : null)
			.keySet();
	}

}
