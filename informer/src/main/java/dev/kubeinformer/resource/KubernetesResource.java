package dev.kubeinformer.resource;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * REST mapping of a custom resource class: the group, version and plural under which the
 * API server serves it, as in the {@code CustomResourceDefinition}. Only the generator of
 * definitions reads the other attributes.
 * <p>
 * Instances are decoded from their fields like in the official client's Gson, with
 * {@code @SerializedName} for names that differ.
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

	/**
	 * Returns the singular name, an alias of {@code kubectl}.
	 * @return the singular name; the kind in lower case when empty
	 */
	String singular() default "";

	/**
	 * Returns short names, aliases of {@code kubectl} such as {@code po} for pods.
	 * @return the short names; none by default
	 */
	String[] shortNames() default {};

	/**
	 * Returns categories, such as {@code all}, whose objects {@code kubectl} lists
	 * together.
	 * @return the categories; none by default
	 */
	String[] categories() default {};

	/**
	 * Returns whether the definition has the status subresource if the class has a field
	 * {@code status}.
	 * @return {@code false} for a status that is written with the object
	 */
	boolean statusSubresource() default true;

	/**
	 * Returns whether objects are stored in this version. If several classes share a
	 * kind, exactly one of them must have the storage version.
	 * @return {@code false} for a version that is not stored
	 */
	boolean storage() default true;

	/**
	 * Returns whether the API server serves this version.
	 * @return {@code false} for a version that is defined but not served
	 */
	boolean served() default true;

	/**
	 * Returns whether the API server warns clients that use this version.
	 * @return {@code true} for a deprecated version
	 */
	boolean deprecated() default false;

	/**
	 * Returns the warning for clients that use this version. A warning marks the version
	 * as deprecated.
	 * @return the warning; empty for the API server's default
	 */
	String deprecationWarning() default "";

	/**
	 * Returns the JSONPaths of fields that field selectors can name, such as
	 * {@code .spec.color} (KEP-4358).
	 * @return the paths; none by default
	 */
	String[] selectableFields() default {};

}
