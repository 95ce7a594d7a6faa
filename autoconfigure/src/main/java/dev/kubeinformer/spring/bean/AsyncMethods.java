package dev.kubeinformer.spring.bean;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.scheduling.annotation.AsyncAnnotationBeanPostProcessor;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.config.TaskManagementConfigUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Finds methods of beans that return before their work is done. The caller of such a
 * method notices neither the end of the work nor its failure. Internal to the starter.
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

	/** Names of the annotations that make methods asynchronous in this context. */
	private final Supplier<List<String>> annotations = SingletonSupplier.of(this::readAnnotations);

	/**
	 * Creates an instance.
	 * @param beanFactory the factory of the beans
	 */
	public AsyncMethods(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Describes the methods of a bean that run in threads other than the caller's.
	 * @param bean the bean
	 * @param methods the invocable methods of the bean
	 * @return a noun phrase that completes "the bean has …"; {@code null} if there is no
	 * such method
	 */
	public @Nullable String find(AnnotatedBean<?> bean, Collection<Method> methods) {
		if (!isEnabled()) {
			return null;
		}
		Set<String> found = new LinkedHashSet<>();
		Set<String> reasons = new LinkedHashSet<>();
		for (Method method : methods) {
			Method implementation = AopUtils.getMostSpecificMethod(method, bean.type());
			String annotation = annotation(implementation, bean.type());
			if (annotation != null) {
				found.add("'%s'".formatted(BeanMethods.describe(bean, implementation)));
				reasons.add("@" + StringUtils.unqualify(ClassUtils.getShortName(annotation)));
			}
		}
		return found.isEmpty() ? null
				: "the method%s %s, which %s asynchronous (%s)".formatted((found.size() > 1) ? "s" : "",
						String.join(" and ", found), (found.size() > 1) ? "are" : "is", String.join(", ", reasons));
	}

	private @Nullable String annotation(Method method, Class<?> type) {
		return Stream.of(method, type)
			.map((element) -> MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY))
			.flatMap((annotations) -> this.annotations.get().stream().filter(annotations::isPresent))
			.findFirst()
			.orElse(null);
	}

	/**
	 * Reads which annotations make a method asynchronous. An annotation that the
	 * application names in {@code @EnableAsync} replaces the default ones.
	 * @return the names of the annotations
	 */
	private List<String> readAnnotations() {
		List<String> own = new ArrayList<>();
		for (String name : this.beanFactory.getBeanDefinitionNames()) {
			EnableAsync enabled = this.beanFactory.findAnnotationOnBean(name, EnableAsync.class, false);
			if (enabled != null && enabled.annotation() != Annotation.class) {
				own.add(enabled.annotation().getName());
			}
		}
		return own.isEmpty() ? ANNOTATIONS : own;
	}

	private boolean isEnabled() {
		return this.beanFactory.getBeanNamesForType(AsyncAnnotationBeanPostProcessor.class, true, false).length > 0
				|| this.beanFactory.containsBean(TaskManagementConfigUtils.ASYNC_EXECUTION_ASPECT_BEAN_NAME);
	}

	/**
	 * Returns the reason why the work of a method may continue after the method has
	 * returned, according to its return type and parameters.
	 * @param method the method
	 * @return the reason and the remedy, as the end of a sentence; {@code null} if the
	 * work ends with the return
	 */
	public static @Nullable String later(Method method) {
		for (Class<?> parameter : method.getParameterTypes()) {
			if (parameter.getName().equals(CONTINUATION)) {
				return "it is a 'suspend' function, whose end would not be awaited; write 'fun' without "
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
