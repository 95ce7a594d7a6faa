package dev.kubeinformer.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.kubernetes.client.common.KubernetesObject;

/**
 * What is owned by the primaries of a {@link Reconciler}: on an {@code Owned<C>}
 * parameter where that is less than all, or on the class where no parameter is wanted. A
 * change of an owned object leads to a call of the {@link Reconcile} method for its
 * owner.
 */
@Documented
@Repeatable(Owns.List.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.PARAMETER, ElementType.TYPE })
public @interface Owns {

	/**
	 * Model class of the owned objects; for use on a class. That of a parameter is its
	 * type argument.
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
