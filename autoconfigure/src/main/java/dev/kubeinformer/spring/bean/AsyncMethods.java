package dev.kubeinformer.spring.bean;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.scheduling.annotation.AsyncAnnotationBeanPostProcessor;
import org.springframework.scheduling.config.TaskManagementConfigUtils;

/**
 * Finds methods of beans that return before their work is done. Their caller learns
 * neither about the end nor about a failure. Internal to the starter.
 */
public final class AsyncMethods {

	/** Annotations that Spring's {@code @EnableAsync} supports. */
	private static final List<String> ANNOTATIONS = List.of("org.springframework.scheduling.annotation.Async",
			"jakarta.ejb.Asynchronous", "jakarta.enterprise.concurrent.Asynchronous");

	private static final String CONTINUATION = "kotlin.coroutines.Continuation";

	private static final Set<String> LATER = Set.of("java.util.concurrent.CompletionStage",
			"org.reactivestreams.Publisher", "java.util.concurrent.Flow$Publisher", "kotlinx.coroutines.Job",
			"kotlinx.coroutines.flow.Flow");

	private final ConfigurableListableBeanFactory beanFactory;

	private final Set<String> reported = ConcurrentHashMap.newKeySet();

	/**
	 * Creates an instance.
	 * @param beanFactory the factory of the beans
	 */
	public AsyncMethods(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Returns the methods of a bean that run in threads other than the caller's. Each
	 * bean is reported only once, because it may belong to several clusters.
	 * @param bean the bean
	 * @param methods its methods as they are called
	 * @return the descriptions of the methods; empty on later calls
	 */
	public Collection<String> find(AnnotatedBean<?> bean, Collection<Method> methods) {
		Set<String> found = new LinkedHashSet<>();
		for (Method method : methods) {
			Method implementation = AopUtils.getMostSpecificMethod(method, bean.type());
			if (isAnnotated(implementation, bean.type())) {
				found.add(BeanMethods.describe(bean, implementation));
			}
		}
		return (!found.isEmpty() && isEnabled() && this.reported.add(bean.name())) ? found : Set.of();
	}

	private static boolean isAnnotated(Method method, Class<?> type) {
		return Stream.of(method, type)
			.map((element) -> MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY))
			.anyMatch((annotations) -> ANNOTATIONS.stream().anyMatch(annotations::isPresent));
	}

	private boolean isEnabled() {
		return this.beanFactory.getBeanNamesForType(AsyncAnnotationBeanPostProcessor.class, true, false).length > 0
				|| this.beanFactory.containsBean(TaskManagementConfigUtils.ASYNC_EXECUTION_ASPECT_BEAN_NAME);
	}

	/**
	 * Returns why, according to its signature, the work of a method may continue after
	 * its return.
	 * @param method the method
	 * @return the reason and what to do, as the end of a sentence; {@code null} if the
	 * work ends with the return
	 */
	public static @Nullable String later(Method method) {
		for (Class<?> parameter : method.getParameterTypes()) {
			if (parameter.getName().equals(CONTINUATION)) {
				return "it is a suspending function, whose end would not be awaited; write 'fun' without "
						+ "'suspend', and call 'runBlocking' in it";
			}
		}
		Class<?> returned = method.getReturnType();
		return isLater(returned)
				? "it returns '%s', which would not be awaited; wait for it in the method".formatted(returned.getName())
				: null;
	}

	private static boolean isLater(@Nullable Class<?> type) {
		if (type == null) {
			return false;
		}
		return type == Future.class || LATER.contains(type.getName()) || isLater(type.getSuperclass())
				|| Stream.of(type.getInterfaces()).anyMatch(AsyncMethods::isLater);
	}

}
