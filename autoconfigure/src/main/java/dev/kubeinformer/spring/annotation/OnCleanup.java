package dev.kubeinformer.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * The method of a {@link Reconciler} that is called instead of the {@link Reconcile}
 * method when an object is being deleted, before it goes. Its presence alone keeps a
 * finalizer on each primary, which is removed when the method succeeds. A method that is
 * taken away leaves the finalizers behind. Parameters and return type are those of
 * {@link Reconcile}; {@code Result.requeueAfter} says that the cleanup is not done yet.
 */
@Documented
@Reflective
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface OnCleanup {

	/**
	 * The finalizer, such as {@code example.com/widgets}. By default it is the group of a
	 * custom resource, or {@code kubeinformer.dev} for built-in ones, and the id of the
	 * reconciler. It may hold <code>${...}</code> placeholders and <code>#{...}</code>
	 * expressions.
	 * @return the finalizer
	 */
	String finalizer() default "";

}
