package dev.kubeinformer.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * Marks a method of a {@link Reconciler} that maps an object to the primaries that it
 * concerns. The primaries do not own this object. A change of the object triggers the
 * {@link Reconcile} method for each of these primaries. The method has the parameter
 * {@code C}, or {@code Metadata<C>} if the metadata is sufficient, and returns
 * {@code ObjectKey}, {@code Collection<ObjectKey>} or {@code Stream<ObjectKey>};
 * {@code null} means no primary. For an update, the method is called twice, with the old
 * and with the new object, so its result must depend only on the object. A failed call is
 * repeated.
 * <p>
 * All string attributes may contain <code>${...}</code> placeholders and
 * <code>#{...}</code> expressions.
 */
@Documented
@Reflective
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
public @interface Watches {

	/**
	 * Namespaces to watch; {@code *} for all, {@code @current} for the namespace of the
	 * kubeconfig's context or of the service account. Separate several namespaces with
	 * commas. By default, these are the namespaces of the reconciler.
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
