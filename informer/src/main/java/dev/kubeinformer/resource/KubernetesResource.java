package dev.kubeinformer.resource;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * REST mapping of a custom resource class: the group, version and plural under which the
 * API server serves it, as in the {@code CustomResourceDefinition}.
 * <p>
 * Instances are decoded as by the official client's Gson: by fields, with
 * {@code @SerializedName} where the names differ.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface KubernetesResource {

	/**
	 * Returns the API group, such as {@code example.com}; empty for the core group.
	 * @return the API group
	 */
	String group();

	/**
	 * Returns the API version, such as {@code v1}.
	 * @return the API version
	 */
	String version();

	/**
	 * Returns the plural name used in URLs, such as {@code widgets}.
	 * @return the plural name
	 */
	String plural();

	/**
	 * Returns the kind; the simple name of the class when empty.
	 * @return the kind
	 */
	String kind() default "";

	/**
	 * Returns whether objects of this resource belong to namespaces.
	 * @return {@code false} for cluster-scoped resources
	 */
	boolean namespaced() default true;

}
