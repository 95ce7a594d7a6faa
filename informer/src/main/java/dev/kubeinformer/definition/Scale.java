package dev.kubeinformer.definition;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Scale subresource of a custom resource, for {@code kubectl scale} and autoscaling.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Scale {

	/**
	 * Returns the path of the desired number of replicas.
	 * @return the JSONPath under {@code .spec}
	 */
	String specReplicas() default ".spec.replicas";

	/**
	 * Returns the path of the observed number of replicas.
	 * @return the JSONPath under {@code .status}
	 */
	String statusReplicas() default ".status.replicas";

	/**
	 * Returns the path of the selector of the pods, which autoscaling needs.
	 * @return the JSONPath of a string under {@code .spec} or {@code .status}; empty for
	 * none
	 */
	String labelSelector() default "";

}
