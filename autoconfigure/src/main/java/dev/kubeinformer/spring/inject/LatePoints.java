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
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Injection points of a bean that are providers or lazy proxies: what they give is noted
 * as a dependency when it is asked for, or not at all.
 */
final class LatePoints {

	private final List<ResolvableType> types = new ArrayList<>();

	private LatePoints() {
	}

	/**
	 * Finds the points of a bean.
	 * @param factoryMethod the method that makes the bean, if one does
	 * @param beanClass the class of the bean, if it is known
	 * @return the types of the beans that may be asked for
	 */
	static List<ResolvableType> types(@Nullable Method factoryMethod, @Nullable Class<?> beanClass) {
		LatePoints points = new LatePoints();
		if (factoryMethod != null) {
			points.addParameters(factoryMethod);
		}
		if (beanClass != null && !beanClass.isInterface()) {
			if (factoryMethod == null) {
				for (Constructor<?> constructor : beanClass.getDeclaredConstructors()) {
					points.addParameters(constructor);
				}
			}
			ReflectionUtils.doWithFields(beanClass, points::addField,
					(field) -> AnnotatedElementUtils.hasAnnotation(field, Autowired.class));
		}
		return points.types;
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
