package dev.kubeinformer.spring.inject;

import java.lang.reflect.Constructor;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotations;

import dev.kubeinformer.spring.annotation.InformerSource;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.ModelType;

/**
 * Finds the injection point that requests an object created on demand. An injection point
 * that collects all beans of a type, in a collection or in a provider's stream, does not
 * count. Reason: Spring collects beans before it looks for a bean of the collection's own
 * type. An element that is created on demand would therefore hide a bean of that type
 * from another library.
 *
 * @param beanFactory the bean factory
 */
record InjectionPoints(ConfigurableListableBeanFactory beanFactory) {

	/**
	 * Name of a class that is private to Spring. An unordered stream has no injection
	 * point.
	 */
	private static final String STREAM = "StreamDependencyDescriptor";

	/**
	 * Returns the current injection point if it requests an object of a class.
	 * @param rawType the class
	 * @return the point; {@code null} in three cases: there is no point, as for a lookup
	 * in the bean factory; the point requests something else, for example because a bean
	 * reads the stream of a provider during its creation; or the point collects all beans
	 * and has no {@link InformerSource}
	 * @throws InformerConfigurationException if that annotation is on a field that Spring
	 * does not inject
	 */
	@Nullable DependencyDescriptor asking(Class<?> rawType) {
		DependencyDescriptor point = current();
		if (point == null || Injection.element(point.getResolvableType(), rawType) == ResolvableType.NONE) {
			return null;
		}
		if (point.getClass().getSimpleName().equals(STREAM)) {
			return null;
		}
		if (!collects(point) || MergedAnnotations.from(point.getAnnotations()).isPresent(InformerSource.class)) {
			return point;
		}
		// The collection would be empty without any explanation.
		ModelType model = Injection.model(point.getResolvableType(), rawType);
		if (model != null) {
			LostInformerSource.refuse(point, rawType, model);
		}
		return null;
	}

	// A parameter of a bean method would fail without an injection point.
	private @Nullable DependencyDescriptor current() {
		DependencyDescriptor declared = new DependencyDescriptor(MethodParameter.forExecutable(declaration(), 0), true);
		try {
			return (DependencyDescriptor) RegisteredBean.of(this.beanFactory, InjectionBeans.LISTER)
				.resolveAutowiredArgument(declared, this.beanFactory.getTypeConverter(), new LinkedHashSet<>());
		}
		catch (IllegalStateException ex) {
			return null;
		}
	}

	// Constant arguments let a native image find the constructor.
	private static Constructor<?> declaration() {
		try {
			return Declaration.class.getDeclaredConstructor(InjectionPoint.class);
		}
		catch (NoSuchMethodException ex) {
			throw new IllegalArgumentException(ex);
		}
	}

	// Same condition as DefaultListableBeanFactory.resolveMultipleBeans.
	private static boolean collects(DependencyDescriptor point) {
		Class<?> type = point.getDependencyType();
		return type.isArray() || (Collection.class.isAssignableFrom(type) && type.isInterface()) || type == Map.class;
	}

	/**
	 * Declares a parameter to which Spring passes the current injection point.
	 *
	 * @param point the point
	 */
	record Declaration(InjectionPoint point) {

	}

}
