package dev.kubeinformer.spring.bean;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;

import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;

/**
 * Bean with an annotation of the starter, before its methods are read. Internal to the
 * starter.
 *
 * @param <A> the annotation
 * @param name the name of the bean
 * @param type the class behind any proxies
 * @param declaredType the most specific known generic type
 * @param annotation the annotation of the bean method, or of the class if the method has
 * none
 */
public record AnnotatedBean<A extends Annotation>(String name, Class<?> type, ResolvableType declaredType,
		A annotation) {

	/**
	 * Returns the default id, for an annotation that does not set one. The bean name of
	 * an imported class is the full class name, such as
	 * {@code com.example.Outer$PodHandler}. A registrar adds a number to the class name,
	 * such as {@code #0}.
	 * @return the part of the bean name after its last dot or dollar sign, without such a
	 * number
	 */
	public String defaultId() {
		String numbered = this.name.substring(this.name.lastIndexOf('.') + 1);
		String id = numbered.replaceFirst("#\\d+$", "");
		return id.substring(id.lastIndexOf('$') + 1);
	}

	/**
	 * Returns the type of a parameter of one of the bean's methods. Resolves type
	 * variables if the class or the bean method declares their types.
	 * @param method the method
	 * @param index the index of the parameter
	 * @return the type of the parameter
	 */
	public ResolvableType parameter(Method method, int index) {
		return ResolvableType.forMethodParameter(new MethodParameter(method, index), implementation());
	}

	/**
	 * Returns the return type of one of the bean's methods. Resolves type variables if
	 * the class or the bean method declares their types.
	 * @param method the method
	 * @return the return type
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
