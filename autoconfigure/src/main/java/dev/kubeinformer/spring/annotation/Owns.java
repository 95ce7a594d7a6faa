package dev.kubeinformer.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.kubernetes.client.common.KubernetesObject;

/**
 * Declares objects that the primaries of a {@link Reconciler} own. On a parameter of type
 * {@code Owned<C>} or {@code Owned<Metadata<C>>}, the annotation narrows the selection of
 * these objects. On the class, it declares them without a parameter. A change of an owned
 * object triggers the {@link Reconcile} method for its owner.
 */
@Documented
@Repeatable(Owns.List.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.PARAMETER, ElementType.TYPE })
public @interface Owns {

	/**
	 * Model class of the owned objects, even if only their metadata is cached. Set it
	 * only on a class, because a parameter has a type argument for it.
	 * @return the model class
	 */
	Class<? extends KubernetesObject> value() default KubernetesObject.class;

	/**
	 * Label selector, such as {@code app=web}; the API server selects the objects. The
	 * value may contain <code>${...}</code> placeholders and <code>#{...}</code>
	 * expressions.
	 * @return the label selector
	 */
	String labelSelector() default "";

	/**
	 * Whether the primary must be the controller of the object, not just one of its
	 * owners.
	 * @return {@code true} if the primary must be the controller
	 */
	boolean controllerOnly() default true;

	/**
	 * Whether only the metadata of the objects is cached. Set it only on a class; a
	 * parameter has the type {@code Owned<Metadata<C>>} instead.
	 * @return {@code true} if only the metadata is cached
	 */
	boolean metadataOnly() default false;

	/**
	 * Container for several annotations on a class.
	 */
	@Documented
	@Retention(RetentionPolicy.RUNTIME)
	@Target(ElementType.TYPE)
	@interface List {

		/**
		 * Returns the annotations.
		 * @return the annotations
		 */
		Owns[] value();

	}

}
