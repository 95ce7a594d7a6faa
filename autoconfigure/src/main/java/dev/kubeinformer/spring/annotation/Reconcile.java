package dev.kubeinformer.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * The method of a {@link Reconciler} that is called for each object, by one thread at a
 * time for the same object. It takes {@code (T)}, a private copy of the object, or
 * {@code (ReconcileRequest<T>)}, and any of {@code Owned<C>} and
 * {@code Reconciliation<T>}, in any order. It returns {@code Result}, or {@code void} if
 * it never asks for another call. What it throws leads to a retry.
 */
@Documented
@Reflective
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Reconcile {

	/**
	 * SpEL expression over {@code #object} and {@code #old} that must be true for an
	 * update of a primary to lead to a call. It replaces the default, by which everything
	 * counts but status, {@code resourceVersion} and {@code managedFields}. It is
	 * evaluated for updates only: additions, deletions, a new deletionTimestamp, resyncs
	 * and triggers always lead to a call. Placeholders are allowed. An expression that
	 * throws is evaluated again later.
	 * @return the condition
	 */
	String condition() default "";

	/**
	 * Whether an update of nothing but the status leads to a call. By default it does for
	 * built-in resources, whose status others write, and does not for custom ones. It may
	 * hold placeholders and expressions.
	 * @return {@code true} or {@code false}
	 */
	String onStatus() default "";

}
