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
 * Finds the injection point for which Spring is currently creating a lister or informer.
 * An injection point that collects all beans of a type, in a collection or in a
 * provider's stream, does not count. Spring collects beans before it looks for a bean of
 * the collection type itself, so a lister that is created for the collection would hide
 * such a bean of another library.
 *
 * @param beanFactory the bean factory
 */
record InjectionPoints(ConfigurableListableBeanFactory beanFactory) {

	/**
	 * Name of Spring's private class for the injection point of a provider's stream. An
	 * unordered stream has no injection point.
	 */
	private static final String STREAM = "StreamDependencyDescriptor";

	/**
	 * Returns the current injection point if it requests an object of a class.
	 * @param rawType the class
	 * @return the point; {@code null} in three cases: there is no point, as for a lookup
	 * in the bean factory; the point requests something else, for example because a bean
	 * reads the stream of a provider during its creation; or the point collects all beans
	 * and has no {@link InformerSource}
	 * @throws InformerConfigurationException if {@link InformerSource} is on a field that
	 * Spring does not inject
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
		// Throw an exception if the annotation is on a field by mistake. Otherwise the
		// collection would be empty without any explanation.
		ModelType model = Injection.model(point.getResolvableType(), rawType);
		if (model != null) {
			LostInformerSource.refuse(point, rawType, model);
		}
		return null;
	}

	// The injection point is not a parameter of the bean methods, because Spring cannot
	// resolve such a parameter if there is no injection point.
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
