package dev.kubeinformer.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.kubernetes.client.common.KubernetesObject;
import org.springframework.stereotype.Component;

/**
 * A bean that keeps a state: its {@link Reconcile} method is called for each object that
 * it reconciles, its primaries, whenever something changes that concerns the object, and
 * makes the cluster what the object asks for. What else leads to a call is said by
 * {@code Owned} parameters or {@link Owns}, and by {@link Watches} methods; an
 * {@link OnCleanup} method is called before an object goes. On a {@code @Bean} method it
 * replaces the annotation of the class.
 * <p>
 * All strings may hold <code>${...}</code> placeholders and <code>#{...}</code>
 * expressions. What {@code kubernetes.reconcilers.<id>} says in the configuration
 * replaces what is said here; {@code kubernetes.reconcilers.defaults} holds where neither
 * says anything.
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
	 * Model class of the primaries. By default it is taken from the parameters of the
	 * {@link Reconcile} method.
	 * @return the model class
	 */
	Class<? extends KubernetesObject> value() default KubernetesObject.class;

	/**
	 * Id of the reconciler in the configuration, health and the registry: letters,
	 * digits, {@code -} and {@code _}. It names the field manager and the finalizer, too,
	 * so that another id leaves objects with the former finalizer. Handlers and
	 * reconcilers have different ids. By default it is the name of the bean, without what
	 * precedes its last dot. It does not name the bean.
	 * @return the id
	 */
	String id() default "";

	/**
	 * Clusters whose objects are reconciled, by their names in
	 * {@code kubernetes.clusters}; {@code *} for all that have a name, {@code default}
	 * for the one of {@code kubernetes.client}. There is a reconciler container for each
	 * of them, with the name of the cluster and a dot before its id. By default it is the
	 * default cluster alone. Commas separate several.
	 * @return the names of the clusters
	 */
	String[] cluster() default {};

	/**
	 * Namespaces to watch, for owned and watched objects as well; {@code *} for all,
	 * {@code @current} for that of the kubeconfig's context or of the service account.
	 * Commas separate several.
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
	 * Period in which every object is reconciled although nothing changed, such as
	 * {@code 1h}, spread over the period; {@code 0} for never. By default 10 hours.
	 * @return the period
	 */
	String resync() default "";

	/**
	 * Number of objects that are reconciled at once. By default 4, for runs mostly wait
	 * for the API server.
	 * @return the concurrency
	 */
	String concurrency() default "";

	/**
	 * Whether the reconciler starts with the application.
	 * @return {@code true} or {@code false}
	 */
	String autoStartup() default "";

	/**
	 * Whether the reconciler runs only while this replica leads. By default it does where
	 * {@code kubernetes.leader.enabled} is set.
	 * @return {@code true} or {@code false}
	 */
	String leaderOnly() default "";

	/**
	 * Model classes of objects that are written by {@code run.applyUnowned}, because the
	 * primaries cannot own them: cluster-scoped ones, and those of other namespaces. The
	 * reconciler keeps a finalizer on its primaries, and deletes the objects of a primary
	 * that is being deleted. Do not remove a class while there are objects of it.
	 * @return the model classes
	 * @see dev.kubeinformer.controller.Reconciliation#applyUnowned
	 */
	Class<? extends KubernetesObject>[] unowned() default {};

	/**
	 * Namespaces of unowned objects, where they are others than those of the reconciler.
	 * Commas separate several.
	 * @return the namespaces
	 */
	String[] unownedNamespaces() default {};

	/**
	 * Exceptions after which there is no retry; subclasses count as well, and causes.
	 * Such a failure is like a {@code GiveUpException}.
	 * @return the classes
	 */
	Class<? extends Throwable>[] retryExcludes() default {};

}
