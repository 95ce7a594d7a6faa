package dev.kubeinformer.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.kubernetes.client.common.KubernetesObject;

/**
 * What is owned by the primaries of a {@link Reconciler}: on a parameter of type
 * {@code Owned<C>} or {@code Owned<Metadata<C>>} where that is less than all, or on the
 * class where no parameter is wanted. A change of an owned object leads to a call of the
 * {@link Reconcile} method for its owner.
 */
@Documented
@Repeatable(Owns.List.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.PARAMETER, ElementType.TYPE })
public @interface Owns {

	/**
	 * Model class of the owned objects, whole or not; for use on a class. That of a
	 * parameter is its type argument.
	 * @return the model class
	 */
	Class<? extends KubernetesObject> value() default KubernetesObject.class;

	/**
	 * Label selector, such as {@code app=web}; the API server selects the objects. It may
	 * hold <code>${...}</code> placeholders and <code>#{...}</code> expressions.
	 * @return the label selector
	 */
	String labelSelector() default "";

	/**
	 * Whether the primary must be the controller of the object, and not only one of its
	 * owners.
	 * @return whether it must
	 */
	boolean controllerOnly() default true;

	/**
	 * Whether only the metadata of the objects is cached. For use on a class: a parameter
	 * says it by its type, {@code Owned<Metadata<C>>}.
	 * @return whether nothing but metadata is cached
	 */
	boolean metadataOnly() default false;

	/**
	 * Several annotations on a class.
	 */
	@Documented
	@Retention(RetentionPolicy.RUNTIME)
	@Target(ElementType.TYPE)
	@interface List {

		/**
		 * The annotations.
		 * @return the annotations
		 */
		Owns[] value();

	}

}
