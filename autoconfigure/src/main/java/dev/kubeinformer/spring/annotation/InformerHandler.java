package dev.kubeinformer.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.kubernetes.client.common.KubernetesObject;
import org.springframework.stereotype.Component;

/**
 * Declares a bean as a handler of the events of one Kubernetes resource. The bean has
 * methods annotated with {@link OnAdd}, {@link OnUpdate} and {@link OnDelete}, or
 * implements the official client's {@code ResourceEventHandler<T>}. The annotation on a
 * {@code @Bean} method replaces the annotation on the class.
 * <p>
 * All string attributes may contain <code>${...}</code> placeholders and
 * <code>#{...}</code> expressions. Properties below
 * {@code kubernetes.informers.handlers.<id>} override the attributes.
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
	 * Model class of the resource. By default derived from the parameters of the
	 * handler's methods or from the type argument of {@code ResourceEventHandler<T>}. For
	 * {@code Metadata<T>}, the model class is {@code T}.
	 * @return the model class
	 */
	Class<? extends KubernetesObject> value() default KubernetesObject.class;

	/**
	 * Name of a resource without a model class: plural, version and group separated by
	 * dots, as in {@code kubectl}: {@code widgets.v1.example.com}, or {@code pods.v1.} in
	 * the core group. The handler receives a {@code DynamicKubernetesObject} of the
	 * official client, or a {@code Metadata<?>} if the metadata is sufficient. By
	 * default, the model class determines the resource.
	 * @return the name of the resource
	 */
	String resource() default "";

	/**
	 * Id of the handler in the configuration, in health and in the registry. It consists
	 * of letters, digits, {@code -} and {@code _}. By default, it is the part of the bean
	 * name after the last dot or {@code $}. The id does not set the bean name.
	 * @return the id
	 */
	String id() default "";

	/**
	 * Names of the clusters in {@code kubernetes.clusters} whose events are handled;
	 * {@code *} for all named clusters, {@code default} for the cluster of
	 * {@code kubernetes.client}. Each cluster has its own handler container, whose id is
	 * prefixed with the cluster name and a dot. By default, only the default cluster is
	 * selected. Separate several names with commas.
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
	 * Whether the handler receives only objects of this replica's shard, if
	 * {@code kubernetes.informers.shard} is set. The default is {@code true} unless the
	 * {@code shard-key} of the resource is {@code none}. With {@code false}, each replica
	 * handles all objects. An explicit {@code true} makes the start fail if the objects
	 * cannot be sharded.
	 * @return {@code true} or {@code false}
	 */
	String sharded() default "";

	/**
	 * Period, such as {@code 10m}, in which every cached object is delivered again as an
	 * update whose old and new object are equal; {@code 0} for no resync.
	 * @return the period
	 */
	String resync() default "";

	/**
	 * Maximum number of objects whose events are handled concurrently.
	 * @return the concurrency
	 */
	String concurrency() default "";

	/**
	 * Whether the handler starts with the application.
	 * @return {@code true} or {@code false}
	 */
	String autoStartup() default "";

	/**
	 * Whether the handler receives events only while this replica leads. A new leader
	 * receives the current objects as initial additions. It does not receive deletions
	 * from the time before it was the leader. By default, every replica receives all
	 * events.
	 * @return {@code true} or {@code false}
	 */
	String leaderOnly() default "";

	/**
	 * Whether delivery waits until all caches that the bean reads have been filled. These
	 * are the handler's own cache and the caches of all listers and informers that are
	 * injected into the bean or its dependencies. The default is {@code true}.
	 * @return {@code true} or {@code false}
	 */
	String waitForCaches() default "";

	/**
	 * Whether methods of the handler may be asynchronous ({@code @Async}). The event then
	 * counts as handled before the method runs: there is no retry, the events of an
	 * object may overlap, and neither sync nor a stop waits for the method. By default,
	 * such a method makes the start fail.
	 * @return {@code true} or {@code false}
	 */
	String allowAsync() default "";

	/**
	 * Name of the {@code InformerErrorHandler} bean that receives events whose retries
	 * are exhausted. By default, it is the only bean of that type, or the primary one.
	 * @return the name of the bean
	 */
	String errorHandler() default "";

	/**
	 * Exceptions that are not retried. A failure matches if it, or one of its causes, is
	 * an instance of one of these classes. A matching failure exhausts the event at once,
	 * and the log has the reason.
	 * @return the classes
	 */
	Class<? extends Throwable>[] retryExcludes() default {};

}
