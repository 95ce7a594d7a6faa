package dev.kubeinformer.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * Marks the method of an {@link InformerHandler} that is called for each change of an
 * object and for each resync. In a resync, the old and the new object are equal. The
 * method returns {@code void} and has the parameters {@code (T)},
 * {@code (T before, T after)} or {@code (ResourceEvent<T>)}.
 */
@Documented
@Reflective
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
public @interface OnUpdate {

	/**
	 * SpEL expression over {@code #event} (the {@code ResourceEvent}) and {@code #object}
	 * that must be true for the method to be called, such as
	 * {@code #event.generationChanged()}. Placeholders are allowed. If the expression
	 * throws an exception, this counts as a failed attempt of the handler.
	 * @return the condition
	 */
	String condition() default "";

}
