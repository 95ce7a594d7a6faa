package dev.kubeinformer.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.kubernetes.client.common.KubernetesObject;
import org.springframework.stereotype.Component;

/**
 * Declares a bean as a reconciler. Its {@link Reconcile} method is called for a primary
 * whenever a related change occurs, and makes the cluster match the desired state in the
 * primary. {@code Owned} parameters, {@link Owns} and {@link Watches} methods declare
 * other objects whose changes trigger a call. An {@link OnCleanup} method is called
 * before a primary is deleted. The annotation on a {@code @Bean} method replaces the
 * annotation on the class.
 * <p>
 * All string attributes may contain <code>${...}</code> placeholders and
 * <code>#{...}</code> expressions. Properties below {@code kubernetes.reconcilers.<id>}
 * override the attributes; {@code kubernetes.reconcilers.defaults} applies if neither a
 * property nor an attribute is set.
 *
 * <pre class="code">
 * &#64;Reconciler
 * class WidgetReconciler {
 *
 *     &#64;Reconcile
 *     Result reconcile(Widget widget, Owned&lt;V1Deployment&gt; deployments, Reconciliation&lt;Widget&gt; run) { ... }
 *
 * }
 * </pre>
 */
@Documented
@Component
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.TYPE, ElementType.METHOD })
public @interface Reconciler {

	/**
	 * Model class of the primaries. By default, it is derived from the parameters of the
	 * {@link Reconcile} method.
	 * @return the model class
	 */
	Class<? extends KubernetesObject> value() default KubernetesObject.class;

	/**
	 * Id of the reconciler in the configuration, in health and in the registry. It
	 * consists of letters, digits, {@code -} and {@code _}. It is also part of the field
	 * manager and the finalizer, so changing the id leaves the old finalizer on objects.
	 * A handler and a reconciler cannot have the same id. By default, the id is the part
	 * of the bean name after the last dot or {@code $}. The id does not set the bean
	 * name.
	 * @return the id
	 */
	String id() default "";

	/**
	 * Names of the clusters in {@code kubernetes.clusters} whose objects are reconciled;
	 * {@code *} for all named clusters, {@code default} for the cluster of
	 * {@code kubernetes.client}. Each cluster has its own reconciler container, whose id
	 * is prefixed with the cluster name and a dot. By default, only the default cluster
	 * is selected. Separate several names with commas.
	 * @return the names of the clusters
	 */
	String[] cluster() default {};

	/**
	 * Namespaces to watch, also for owned and watched objects; {@code *} for all,
	 * {@code @current} for the namespace of the kubeconfig's context or of the service
	 * account. Separate several namespaces with commas.
	 * @return the namespaces
	 */
	String[] namespaces() default {};

	/**
	 * Label selector of the primaries, such as {@code app=web}; the API server selects
	 * the objects.
	 * @return the label selector
	 */
	String labelSelector() default "";

	/**
	 * Field selector of the primaries, such as {@code metadata.name=main}; the API server
	 * selects the objects.
	 * @return the field selector
	 */
	String fieldSelector() default "";

	/**
	 * Period, such as {@code 1h}, in which every object is reconciled even without a
	 * change; {@code 0} for no resync. The calls are spread over the period. The default
	 * is 10 hours.
	 * @return the period
	 */
	String resync() default "";

	/**
	 * Maximum number of objects that are reconciled concurrently. The default is 4,
	 * because runs mostly wait for the API server.
	 * @return the concurrency
	 */
	String concurrency() default "";

	/**
	 * Whether the reconciler starts with the application.
	 * @return {@code true} or {@code false}
	 */
	String autoStartup() default "";

	/**
	 * Whether the reconciler runs only while this replica leads. The default is
	 * {@code true} if {@code kubernetes.leader.enabled} is set.
	 * @return {@code true} or {@code false}
	 */
	String leaderOnly() default "";

	/**
	 * Model classes of objects that are written with {@code run.applyUnowned} because the
	 * primaries cannot own them: cluster-scoped objects and objects in other namespaces.
	 * The reconciler keeps a finalizer on its primaries, and deletes these objects when
	 * their primary is being deleted. Do not remove a class from this attribute while
	 * unowned objects of it exist.
	 * @return the model classes
	 * @see dev.kubeinformer.controller.Reconciliation#applyUnowned
	 */
	Class<? extends KubernetesObject>[] unowned() default {};

	/**
	 * Namespaces of unowned objects, if they differ from the namespaces of the
	 * reconciler. Separate several namespaces with commas.
	 * @return the namespaces
	 */
	String[] unownedNamespaces() default {};

	/**
	 * Exceptions that are not retried. A failure matches if it, or one of its causes, is
	 * an instance of one of these classes. A matching failure has the effect of a
	 * {@code GiveUpException}.
	 * @return the classes
	 */
	Class<? extends Throwable>[] retryExcludes() default {};

}
