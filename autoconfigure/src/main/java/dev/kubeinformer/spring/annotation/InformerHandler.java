package dev.kubeinformer.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.kubernetes.client.common.KubernetesObject;
import org.springframework.stereotype.Component;

/**
 * A bean that handles the events of one Kubernetes resource: with methods annotated
 * {@link OnAdd}, {@link OnUpdate} and {@link OnDelete}, or by implementing the official
 * client's {@code ResourceEventHandler<T>}. On a {@code @Bean} method it replaces the
 * annotation of the class.
 * <p>
 * All strings may hold <code>${...}</code> placeholders and <code>#{...}</code>
 * expressions. What {@code kubernetes.informers.handlers.<id>} says in the configuration
 * replaces what is said here.
 *
 * <pre class="code">
 * &#64;InformerHandler
 * class PodHandler {
 *
 *     &#64;OnAdd
 *     void added(V1Pod pod) { ... }
 *
 * }
 * </pre>
 */
@Documented
@Component
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.TYPE, ElementType.METHOD })
public @interface InformerHandler {

	/**
	 * Model class of the resource. By default it is taken from the parameters of the
	 * handler's methods or from the type argument of {@code ResourceEventHandler<T>}.
	 * Where these say {@code Metadata<T>}, it is the class of the whole objects.
	 * @return the model class
	 */
	Class<? extends KubernetesObject> value() default KubernetesObject.class;

	/**
	 * Name of a resource for whose objects there is no class, by plural, version and
	 * group with dots between as {@code kubectl} takes it:
	 * {@code widgets.v1.example.com}, or {@code pods.v1.} in the core group. The handler
	 * is given the official client's {@code DynamicKubernetesObject}, or
	 * {@code Metadata<?>} for the metadata alone. By default the class says which
	 * resource it is.
	 * @return the name of the resource
	 */
	String resource() default "";

	/**
	 * Id of the handler in the configuration, health and the registry: letters, digits,
	 * {@code -} and {@code _}. By default it is the name of the bean, without what
	 * precedes its last dot. It does not name the bean.
	 * @return the id
	 */
	String id() default "";

	/**
	 * Clusters whose events are handled, by their names in {@code kubernetes.clusters};
	 * {@code *} for all that have a name, {@code default} for the one of
	 * {@code kubernetes.client}. There is a handler container for each of them, with the
	 * name of the cluster and a dot before its id. By default it is the default cluster
	 * alone. Commas separate several.
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
	 * replica's shard are handled. By default only they are, unless {@code shard-key} of
	 * the resource is {@code none}; with {@code false} each replica handles all. Where
	 * they cannot be shared, {@code true} fails the start.
	 * @return {@code true} or {@code false}
	 */
	String sharded() default "";

	/**
	 * Period in which every cached object is delivered again as an update with equal old
	 * and new object, such as {@code 10m}; {@code 0} for none.
	 * @return the period
	 */
	String resync() default "";

	/**
	 * Number of events, of different objects, that are handled at once.
	 * @return the concurrency
	 */
	String concurrency() default "";

	/**
	 * Whether the handler starts with the application.
	 * @return {@code true} or {@code false}
	 */
	String autoStartup() default "";

	/**
	 * Whether events are delivered only while this replica leads. Whoever becomes leader
	 * gets the state as initial additions; deletions while it does not lead are not
	 * delivered. By default every replica gets all events.
	 * @return {@code true} or {@code false}
	 */
	String leaderOnly() default "";

	/**
	 * Whether events are delivered only when the handler's own cache and those of all
	 * listers and informers that are injected into the bean, or into a bean that it
	 * depends on, have been filled. By default they are.
	 * @return {@code true} or {@code false}
	 */
	String waitForCaches() default "";

	/**
	 * Name of the {@code InformerErrorHandler} bean that gets the events that are given
	 * up. By default it is the only one there is, or the primary one.
	 * @return the name of the bean
	 */
	String errorHandler() default "";

	/**
	 * Exceptions after which there is no retry; subclasses count as well, and causes. An
	 * event that it fails on is given up at once, and the log says why.
	 * @return the classes
	 */
	Class<? extends Throwable>[] retryExcludes() default {};

}
