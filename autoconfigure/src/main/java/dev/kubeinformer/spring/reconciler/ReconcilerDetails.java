package dev.kubeinformer.spring.reconciler;

import java.lang.reflect.Method;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What the Spring side knows of a reconciler beside its spec.
 *
 * @param beanName the name of the bean; {@code null} if the reconciler is no bean of ours
 * @param methods the methods that are called on it, the reconciling one first
 * @param autoStartup whether it starts with the application
 * @param readiness whether the application is not ready before its caches are synced
 * @param ownedVerbs the RBAC verbs that it uses on the resources that it owns
 * @param leaderOnly whether it runs only while this replica leads
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
	 * Returns the details of a reconciler that someone else made.
	 * @return details by which it starts by itself, counts in readiness, uses all verbs
	 * and runs at each replica
	 */
	static ReconcilerDetails unknown() {
		return new ReconcilerDetails(null, List.of(), true, true, ALL_VERBS, false);
	}

}
