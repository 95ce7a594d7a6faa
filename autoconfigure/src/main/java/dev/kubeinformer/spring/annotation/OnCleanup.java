package dev.kubeinformer.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * Marks the method of a {@link Reconciler} that is called instead of the
 * {@link Reconcile} method while an object is being deleted. If this method exists, the
 * reconciler keeps a finalizer on each primary and removes it when the method succeeds.
 * Finalizers stay on the objects if you delete the method from the code. Parameters and
 * return type are the same as for {@link Reconcile}; {@code Result.requeueAfter} means
 * that the cleanup is not finished.
 */
@Documented
@Reflective
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
public @interface OnCleanup {

	/**
	 * Finalizer, such as {@code example.com/widgets}. By default, it is a domain followed
	 * by a slash and the id of the reconciler. The domain is the group of a custom
	 * resource, or {@code kubeinformer.dev} for a built-in one. The value may contain
	 * <code>${...}</code> placeholders and <code>#{...}</code> expressions.
	 * @return the finalizer
	 */
	String finalizer() default "";

}
