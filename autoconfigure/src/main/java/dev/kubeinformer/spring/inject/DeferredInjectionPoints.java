package dev.kubeinformer.spring.inject;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

import io.kubernetes.client.informer.SharedInformer;
import io.kubernetes.client.informer.cache.Lister;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the injection points of a bean that obtain their object later: providers and lazy
 * proxies. The bean factory records such an object as a dependency only when the bean
 * requests it, and some of these objects not at all.
 */
final class DeferredInjectionPoints {

	private static final Logger logger = LoggerFactory.getLogger(DeferredInjectionPoints.class);

	private final List<ResolvableType> types = new ArrayList<>();

	private DeferredInjectionPoints() {
	}

	/**
	 * Finds the deferred injection points of a bean.
	 * @param factoryMethod the factory method of the bean, if there is one
	 * @param beanClass the class of the bean, if known
	 * @return the types of the beans that may be requested
	 */
	static List<ResolvableType> types(@Nullable Method factoryMethod, @Nullable Class<?> beanClass) {
		DeferredInjectionPoints points = new DeferredInjectionPoints();
		if (factoryMethod != null) {
			points.addParameters(factoryMethod);
		}
		if (beanClass != null && !beanClass.isInterface()) {
			try {
				points.addMembers(beanClass, factoryMethod == null);
			}
			catch (IllegalStateException | LinkageError ex) {
				// A missing optional class must not make the start fail.
				logger.debug("The injection points of {} cannot be read", beanClass.getName(), ex);
			}
		}
		return points.types;
	}

	private void addMembers(Class<?> beanClass, boolean constructed) {
		if (constructed) {
			for (Constructor<?> constructor : beanClass.getDeclaredConstructors()) {
				addParameters(constructor);
			}
		}
		ReflectionUtils.doWithFields(beanClass, this::addField,
				(field) -> AnnotatedElementUtils.hasAnnotation(field, Autowired.class));
	}

	private void addField(Field field) {
		add(field, ResolvableType.forField(field));
	}

	private void addParameters(Executable executable) {
		for (int i = 0; i < executable.getParameterCount(); i++) {
			MethodParameter parameter = MethodParameter.forExecutable(executable, i);
			add(parameter.getParameter(), ResolvableType.forMethodParameter(parameter));
		}
	}

	private void add(AnnotatedElement element, ResolvableType type) {
		boolean provider = Injection.isProvider(type.toClass());
		ResolvableType asked = provider ? type.getGeneric(0) : type;
		Class<?> raw = asked.resolve();
		if (raw != null && raw != Object.class && raw != Lister.class && !SharedInformer.class.isAssignableFrom(raw)
				&& (provider || AnnotatedElementUtils.hasAnnotation(element, Lazy.class))) {
			this.types.add(asked);
		}
	}

}
