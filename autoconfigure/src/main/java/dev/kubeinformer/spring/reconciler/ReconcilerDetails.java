package dev.kubeinformer.spring.reconciler;

import java.lang.reflect.Method;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Settings of a reconciler that are not part of its spec.
 *
 * @param beanName the name of the bean; {@code null} if the reconciler is not a bean
 * found by the starter
 * @param methods the methods that are called on the bean, with the reconciling method
 * first
 * @param autoStartup {@code true} if the reconciler starts with the application
 * @param readiness {@code true} if readiness waits for the caches of the reconciler
 * @param ownedVerbs the RBAC verbs that the reconciler uses on owned resources
 * @param leaderOnly {@code true} if the reconciler runs only while this replica leads
 */
public record ReconcilerDetails(@Nullable String beanName, List<Method> methods, boolean autoStartup, boolean readiness,
		List<String> ownedVerbs, boolean leaderOnly) {

	/** Verbs that {@code Reconciliation} and the caches may use on owned objects. */
	static final List<String> ALL_VERBS = List.of("get", "list", "watch", "create", "patch", "delete");

	/**
	 * Creates the details.
	 */
	public ReconcilerDetails {
		methods = List.copyOf(methods);
		ownedVerbs = List.copyOf(ownedVerbs);
	}

	/**
	 * Returns the details of a reconciler that the starter did not create.
	 * @return details of a reconciler that starts automatically, is included in
	 * readiness, uses all verbs and runs on each replica
	 */
	static ReconcilerDetails unknown() {
		return new ReconcilerDetails(null, List.of(), true, true, ALL_VERBS, false);
	}

}
