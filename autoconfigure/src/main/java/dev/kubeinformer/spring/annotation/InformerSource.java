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

}
