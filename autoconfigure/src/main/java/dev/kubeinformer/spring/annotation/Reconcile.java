package dev.kubeinformer.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * Marks the method of a {@link Reconciler} that reconciles one object. Calls for the same
 * object never overlap. One parameter has the type {@code T}, a private copy of the
 * object, or {@code ReconcileRequest<T>}. Other parameters can have the types
 * {@code Owned<C>} and {@code Reconciliation<T>}. Their order does not matter. The method
 * returns {@code Result}, or {@code void} if it never requests another call. An exception
 * leads to a retry.
 */
@Documented
@Reflective
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
public @interface Reconcile {

	/**
	 * SpEL expression over {@code #object} and {@code #old} that must be true for an
	 * update of a primary to trigger a call. The expression replaces the default, which
	 * ignores changes of status, {@code resourceVersion} and {@code managedFields}. It is
	 * evaluated only for updates: additions, deletions, a new deletionTimestamp, resyncs
	 * and triggers always lead to a call. Placeholders are allowed. If the expression
	 * throws an exception, it is evaluated again later.
	 * @return the condition
	 */
	String condition() default "";

	/**
	 * Whether an update of only the status triggers a call. The default is {@code true}
	 * for built-in resources, whose status other controllers write, and {@code false} for
	 * custom ones. The value may contain placeholders and expressions.
	 * @return {@code true} or {@code false}
	 */
	String onStatus() default "";

}
