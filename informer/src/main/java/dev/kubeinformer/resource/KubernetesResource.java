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
 * JSON is decoded into the fields of the class, as by the official client's Gson. If a
 * field has another name in JSON, it needs {@code @SerializedName}.
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
	 * Returns the kind.
	 * @return the kind; if it is empty, the kind is the simple name of the class
	 */
	String kind() default "";

	/**
	 * Returns whether objects of this resource belong to namespaces.
	 * @return {@code false} for cluster-scoped resources
	 */
	boolean namespaced() default true;

	/**
	 * Returns the singular name, which {@code kubectl} accepts as an alias.
	 * @return the singular name; if it is empty, the name is the kind in lower case
	 */
	String singular() default "";

	/**
	 * Returns the short names, which {@code kubectl} accepts as aliases, such as
	 * {@code po} for pods.
	 * @return the short names; none by default
	 */
	String[] shortNames() default {};

	/**
	 * Returns the categories of the resource. {@code kubectl get} with the name of a
	 * category, such as {@code all}, lists the objects of all resources in it.
	 * @return the categories; none by default
	 */
	String[] categories() default {};

	/**
	 * Returns whether the definition has the status subresource. This has an effect only
	 * if the class has a field {@code status}.
	 * @return {@code false} if the status is written together with the rest of the object
	 */
	boolean statusSubresource() default true;

	/**
	 * Returns whether objects are stored in this version. If several classes have the
	 * same kind, exactly one of them must have the storage version.
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
	 * Returns the warning for clients that use this version. If it is set, the version is
	 * deprecated.
	 * @return the warning; empty for the default warning of the API server
	 */
	String deprecationWarning() default "";

	/**
	 * Returns the JSONPaths of fields that field selectors can name, such as
	 * {@code .spec.color} (KEP-4358).
	 * @return the paths; none by default
	 */
	String[] selectableFields() default {};

}
