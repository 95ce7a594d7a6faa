package dev.kubeinformer.spring.inject;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.settings.ModelType;

/**
 * Injection of an informer.
 *
 * @param member the field, method or constructor
 * @param parameter the index of the parameter; -1 for a field
 * @param rawType the class whose type argument is the model class
 * @param model the model
 * @param informer the informer
 */
record Injection(Member member, int parameter, Class<?> rawType, ModelType model, Informer<?> informer) {

	private static final String PROVIDER = "jakarta.inject.Provider";

	static Injection of(DependencyDescriptor point, Class<?> rawType, Informer<?> informer) {
		MethodParameter parameter = point.getMethodParameter();
		return new Injection(point.getMember(), (parameter != null) ? parameter.getParameterIndex() : -1, rawType,
				ModelType.of(informer.spec().type()), informer);
	}

	/**
	 * Returns whether the injection belongs to a bean: to its factory method or
	 * constructor, or to a member of its class.
	 * @param factoryMethod the factory method of the bean, if there is one
	 * @param beanClass the class of the bean, if known
	 * @return {@code true} if the injection belongs to the bean
	 */
	boolean isInto(@Nullable Method factoryMethod, @Nullable Class<?> beanClass) {
		if (this.member.equals(factoryMethod)) {
			return true;
		}
		Class<?> owner = ClassUtils.getUserClass(this.member.getDeclaringClass());
		if (beanClass == null || !owner.isAssignableFrom(beanClass)
				|| (this.member instanceof Method method && AnnotatedElementUtils.hasAnnotation(method, Bean.class))) {
			return false;
		}
		// A type variable of a superclass may be a different resource in each subclass.
		return owner == beanClass || this.model.equals(model(typeIn(beanClass), this.rawType));
	}

	private ResolvableType typeIn(Class<?> beanClass) {
		if (this.member instanceof Field field) {
			return ResolvableType.forField(field, beanClass);
		}
		return (this.member instanceof Method method)
				? ResolvableType.forMethodParameter(method, this.parameter, beanClass)
				: ResolvableType.forConstructorParameter((Constructor<?>) this.member, this.parameter, beanClass);
	}

	/**
	 * Returns the model that the type of an injection point determines.
	 * @param injected the type
	 * @param rawType the class whose type argument is the model class
	 * @return the model; {@code null} if the type does not determine the model
	 */
	static @Nullable ModelType model(ResolvableType injected, Class<?> rawType) {
		return ModelType.of(element(injected, rawType).getGeneric(0));
	}

	/**
	 * Finds a class in the type of an injection point. The class can be the type itself
	 * or one of its supertypes, or the type of the elements of an array, a collection, a
	 * map or a provider.
	 * @param injected the type of the injection point
	 * @param rawType the class
	 * @return the type as {@code rawType}; {@link ResolvableType#NONE} if neither the
	 * injected type nor its elements have that class
	 */
	static ResolvableType element(ResolvableType injected, Class<?> rawType) {
		ResolvableType type = injected;
		ResolvableType match = type.as(rawType);
		while (match == ResolvableType.NONE && (type.isArray() || type.hasGenerics())) {
			// Unwrap the element of an array or a collection, or the value of a map.
			type = type.isArray() ? type.getComponentType() : type.getGeneric(type.getGenerics().length - 1);
			match = type.as(rawType);
		}
		return match;
	}

	/**
	 * Returns whether a type resolves the injected object later, on request.
	 * @param type the type
	 * @return {@code true} for a provider
	 */
	static boolean isProvider(Class<?> type) {
		return ObjectFactory.class.isAssignableFrom(type) || type.getName().equals(PROVIDER);
	}

}
