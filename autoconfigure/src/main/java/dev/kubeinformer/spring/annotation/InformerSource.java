package dev.kubeinformer.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Narrows the selection of objects of an injected {@code Lister}, {@code Informer} or
 * {@code SharedIndexInformer}, compared to the default in the configuration. Injection
 * points with equal sources share one informer.
 * <p>
 * All string attributes may contain <code>${...}</code> placeholders and
 * <code>#{...}</code> expressions.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.FIELD, ElementType.PARAMETER, ElementType.ANNOTATION_TYPE })
public @interface InformerSource {

	/**
	 * Name of a resource without a model class, for a
	 * {@code Lister<DynamicKubernetesObject>}, a {@code Lister<Metadata<?>>} or an
	 * informer: plural, version and group separated by dots, as in {@code kubectl}:
	 * {@code widgets.v1.example.com}, or {@code pods.v1.} in the core group. By default,
	 * the model class determines the resource.
	 * @return the name of the resource
	 */
	String resource() default "";

	/**
	 * Name of the cluster in {@code kubernetes.clusters} whose objects are cached. By
	 * default, it is the cluster of {@code kubernetes.client}. {@code ClusterListers}
	 * accept several names, or {@code *} for all named clusters.
	 * @return the names of the clusters
	 */
	String[] cluster() default {};

	/**
	 * Namespaces to watch; {@code *} for all, {@code @current} for the namespace of the
	 * kubeconfig's context or of the service account. Separate several namespaces with
	 * commas.
	 * @return the namespaces
	 */
	String[] namespaces() default {};

	/**
	 * Label selector, such as {@code app=web}; the API server selects the objects.
	 * @return the label selector
	 */
	String labelSelector() default "";

	/**
	 * Field selector, such as {@code spec.nodeName=n1}; the API server selects the
	 * objects.
	 * @return the field selector
	 */
	String fieldSelector() default "";

	/**
	 * Whether the cache has only objects of this replica's shard, if
	 * {@code kubernetes.informers.shard} is set. The default is {@code true} unless the
	 * {@code shard-key} of the resource is {@code none}. With {@code false}, the cache
	 * has all objects. An explicit {@code true} makes the start fail if the objects
	 * cannot be sharded.
	 * @return {@code true} or {@code false}
	 */
	String sharded() default "";

}
