package dev.kubeinformer.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What an injected {@code Lister}, {@code Informer} or {@code SharedIndexInformer} shows,
 * where that is less than the configuration's default. Injection points with equal
 * sources share one informer.
 * <p>
 * All strings may hold <code>${...}</code> placeholders and <code>#{...}</code>
 * expressions.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.FIELD, ElementType.PARAMETER })
public @interface InformerSource {

	/**
	 * Name of the resource that a {@code Lister<DynamicKubernetesObject>},
	 * {@code Lister<Metadata<?>>} or informer shows, for whose objects there is no class,
	 * by plural, version and group with dots between as {@code kubectl} takes it:
	 * {@code widgets.v1.example.com}, or {@code pods.v1.} in the core group. By default
	 * the class says which resource it is.
	 * @return the name of the resource
	 */
	String resource() default "";

	/**
	 * Cluster whose objects are shown, by its name in {@code kubernetes.clusters}. By
	 * default it is the one of {@code kubernetes.client}. Several, or {@code *} for all
	 * that have a name, are for {@code ClusterListers}.
	 * @return the names of the clusters
	 */
	String[] cluster() default {};

	/**
	 * Namespaces to watch; {@code *} for all, {@code @current} for that of the
	 * kubeconfig's context or of the service account. Commas separate several.
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
	 * Whether, where {@code kubernetes.informers.shard} is set, only the objects of this
	 * replica's shard are shown. By default only they are, unless {@code shard-key} of
	 * the resource is {@code none}; {@code false} shows all. Where they cannot be shared,
	 * {@code true} fails the start.
	 * @return {@code true} or {@code false}
	 */
	String sharded() default "";

}
