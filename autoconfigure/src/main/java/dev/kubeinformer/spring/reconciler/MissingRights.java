package dev.kubeinformer.spring.reconciler;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerListener;
import dev.kubeinformer.controller.RunOutcome;
import dev.kubeinformer.informer.RequiredRbac;
import dev.kubeinformer.types.ObjectKey;

/**
 * Permissions that the API server denied for writes in runs of reconcilers, including
 * writes of finalizers. A permission counts as missing until the object for which it was
 * last denied has been reconciled without a failure.
 */
public final class MissingRights implements ReconcilerListener {

	/**
	 * Maximum number of permissions to keep for a reconciler, because it may lack the
	 * same permission in many namespaces.
	 */
	private static final int MOST = 20;

	private final Map<ReconcilerContainer, Map<RequiredRbac, ObjectKey>> refused = Collections
		.synchronizedMap(new WeakHashMap<>());

	MissingRights() {
	}

	@Override
	public void ran(ReconcilerContainer reconciler, ReconcileRun run) {
		if (run.outcome() == RunOutcome.DONE || run.outcome() == RunOutcome.REQUEUE) {
			this.refused.computeIfPresent(reconciler, (container, rules) -> without(rules, run.key()));
			return;
		}
		RequiredRbac rule = RefusedRight.of(run.error(), reconciler.spec(), run.key());
		if (rule != null) {
			this.refused.compute(reconciler, (container, rules) -> with(rules, rule, run.key()));
		}
	}

	private static @Nullable Map<RequiredRbac, ObjectKey> without(Map<RequiredRbac, ObjectKey> rules, ObjectKey key) {
		if (!rules.containsValue(key)) {
			return rules;
		}
		Map<RequiredRbac, ObjectKey> left = new LinkedHashMap<>(rules);
		left.values().removeIf(key::equals);
		return left.isEmpty() ? null : left;
	}

	private static Map<RequiredRbac, ObjectKey> with(@Nullable Map<RequiredRbac, ObjectKey> rules, RequiredRbac rule,
			ObjectKey key) {
		Map<RequiredRbac, ObjectKey> more = (rules != null) ? new LinkedHashMap<>(rules) : new LinkedHashMap<>();
		if (more.containsKey(rule) || more.size() < MOST) {
			more.put(rule, key);
		}
		return more;
	}

	/**
	 * Returns the permissions that a reconciler currently lacks. If a permission on a
	 * resource was denied, the result contains all permissions that the reconciler needs
	 * on this resource in all of its namespaces.
	 * @param reconciler the container of the reconciler
	 * @param ownedVerbs the verbs that the reconciler uses on owned objects
	 * @return the rules that must be granted; empty if no permission is known to be
	 * missing
	 */
	public List<RequiredRbac> of(ReconcilerContainer reconciler, Collection<String> ownedVerbs) {
		Map<RequiredRbac, ObjectKey> rules = this.refused.getOrDefault(reconciler, Map.of());
		// If no key is failing, ignore the denials. They may concern deleted objects,
		// which are not reconciled again.
		boolean failing = !rules.isEmpty() && reconciler.status().queue().failingKeys() > 0;
		if (!failing) {
			return List.of();
		}
		NeededRights needed = new NeededRights(reconciler.spec(), ownedVerbs);
		rules.forEach(needed::add);
		return needed.rules();
	}

}
