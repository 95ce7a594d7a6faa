package dev.kubeinformer.spring.leader;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.LeaderElector;
import dev.kubeinformer.informer.RequiredRbac;
import dev.kubeinformer.leader.LeaderStatus;
import dev.kubeinformer.leader.Leadership;

/**
 * Leadership that is decided by a Lease, with its status. Internal to the starter.
 *
 * @param leadership the leadership
 * @param status the supplier of the elector's status
 * @param leases the names of the Leases of all shards, to which all replicas of an
 * application need access
 */
public record ElectedLeadership(Leadership leadership, Supplier<LeaderStatus> status, List<String> leases) {

	private static final String GROUP = "coordination.k8s.io";

	private static final String RESOURCE = "leases";

	private static final String CREATE = "create";

	private static final List<String> VERBS = List.of("get", "create", "update", "watch");

	/**
	 * Returns a leadership with its status, if a Lease decides it.
	 * @param leadership the leadership; {@code null} for none
	 * @return the elected leadership; {@code null} if the leadership is not decided by a
	 * Lease
	 */
	public static @Nullable ElectedLeadership of(@Nullable Leadership leadership) {
		return (leadership instanceof LeaderElector elector)
				? new ElectedLeadership(elector, elector::status, elector.spec().names()) : null;
	}

	/**
	 * Returns the RBAC rules that the election needs for the Leases of all shards.
	 * @return the rules
	 */
	public List<RequiredRbac> requiredRbac() {
		return rules(this.status.get().namespace(), this.leases, VERBS);
	}

	/**
	 * Returns the RBAC rules that the API server reported as missing.
	 * @param status the elector's status
	 * @return the rules; empty if no rule is known to be missing
	 */
	public static List<RequiredRbac> missingRbac(LeaderStatus status) {
		return rules(status.namespace(), List.of(status.name()), status.missingVerbs());
	}

	private static List<RequiredRbac> rules(String namespace, List<String> names, Collection<String> verbs) {
		List<RequiredRbac> rules = new ArrayList<>();
		List<String> named = verbs.stream().filter((verb) -> !verb.equals(CREATE)).toList();
		if (!named.isEmpty()) {
			rules.add(new RequiredRbac(GROUP, RESOURCE, names, named, namespace));
		}
		if (verbs.contains(CREATE)) {
			// RBAC cannot check the name of an object that is being created.
			rules.add(new RequiredRbac(GROUP, RESOURCE, List.of(), List.of(CREATE), namespace));
		}
		return rules;
	}

}
