package dev.kubeinformer.spring.bean;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;

import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;

/**
 * A bean with an annotation of ours, found and not yet looked into. Internal to the
 * starter.
 *
 * @param <A> the annotation
 * @param name the name of the bean
 * @param type the class behind proxies
 * @param declaredType the most that is known of its generic type
 * @param annotation the annotation, of the bean method or else of the class
 */
public record AnnotatedBean<A extends Annotation>(String name, Class<?> type, ResolvableType declaredType,
		A annotation) {

	/**
	 * Returns the id that the bean has if the annotation gives none.
	 * @return the bean name after its last dot
	 */
	public String defaultId() {
		return this.name.substring(this.name.lastIndexOf('.') + 1);
	}

	/**
	 * Returns the type of a parameter of one of the bean's methods, as far as the class
	 * and the bean method say it.
	 * @param method the method
	 * @param index the index of the parameter
	 * @return its type
	 */
	public ResolvableType parameter(Method method, int index) {
		return ResolvableType.forMethodParameter(new MethodParameter(method, index), implementation());
	}

	/**
	 * Returns what one of the bean's methods returns, as far as the class and the bean
	 * method say it.
	 * @param method the method
	 * @return its return type
	 */
	public ResolvableType returned(Method method) {
		return ResolvableType.forMethodParameter(new MethodParameter(method, -1), implementation());
	}

	private ResolvableType implementation() {
		ResolvableType owner = this.declaredType.as(this.type);
		return (owner != ResolvableType.NONE && owner.hasResolvableGenerics()) ? owner
				: ResolvableType.forClass(this.type);
	}

	@Override
	public String toString() {
		return "@%s bean '%s' (%s)".formatted(this.annotation.annotationType().getSimpleName(), this.name,
				this.type.getName());
	}

}
