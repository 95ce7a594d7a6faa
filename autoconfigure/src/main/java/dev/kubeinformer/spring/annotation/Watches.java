package dev.kubeinformer.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * A method of a {@link Reconciler} that names the primaries which another object
 * concerns, without being owned by them. A change of the object leads to a call of the
 * {@link Reconcile} method for each of them. The method takes {@code (C)}, or
 * {@code (Metadata<C>)} where the metadata is enough, and returns {@code ObjectKey},
 * {@code Collection<ObjectKey>} or {@code Stream<ObjectKey>}; {@code null} is none. It is
 * called with the object as it was and as it is, so that its result must depend on the
 * object alone. A call that fails is repeated.
 * <p>
 * All strings may hold <code>${...}</code> placeholders and <code>#{...}</code>
 * expressions.
 */
@Documented
@Reflective
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Watches {

	/**
	 * Namespaces to watch; {@code *} for all, {@code @current} for that of the
	 * kubeconfig's context or of the service account. Commas separate several. By default
	 * those of the reconciler.
	 * @return the namespaces
	 */
	String[] namespaces() default {};

	/**
	 * Label selector, such as {@code app=web}; the API server selects the objects.
	 * @return the label selector
	 */
	String labelSelector() default "";

	/**
	 * Field selector, such as {@code metadata.name=main}; the API server selects the
	 * objects.
	 * @return the field selector
	 */
	String fieldSelector() default "";

}
