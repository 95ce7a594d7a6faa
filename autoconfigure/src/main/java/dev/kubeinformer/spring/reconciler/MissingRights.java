package dev.kubeinformer.spring.reconciler;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.kubernetes.client.openapi.ApiException;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.RequiredRbac;
import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerListener;
import dev.kubeinformer.controller.RunOutcome;
import dev.kubeinformer.types.ObjectKey;

/**
 * Rights that runs were refused: what a write of a reconciler needed and RBAC did not
 * grant, that of its finalizer included. A right is missing until the object for which it
 * was refused last was reconciled without a failure.
 */
public final class MissingRights implements ReconcilerListener {

	/** A bean that writes to many namespaces may miss a right in each. */
	private static final int MOST = 20;

	private static final int DEEPEST_CAUSE = 10;

	/**
	 * What kube-apiserver answers ({@code forbiddenMessage} in responsewriters/errors.go
	 * of k8s.io/apiserver), as it is escaped in JSON. Nothing else of it is kept.
	 */
	private static final Pattern REFUSAL = Pattern
		.compile("cannot ([a-z]+) resource \\\\\"([a-z0-9./-]+)\\\\\" in API group \\\\\"([a-z0-9.-]*)\\\\\""
				+ " (?:at the cluster scope|in the namespace \\\\\"([a-z0-9-]+)\\\\\")");

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
		RequiredRbac rule = refusal(run.error());
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

	private static @Nullable RequiredRbac refusal(@Nullable Throwable error) {
		Throwable cause = error;
		for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
			if (cause instanceof ApiException refusal && refusal.getCode() == 403) {
				return refusal(String.valueOf(refusal.getResponseBody()));
			}
			cause = cause.getCause();
		}
		return null;
	}

	private static @Nullable RequiredRbac refusal(String answer) {
		Matcher matcher = REFUSAL.matcher(answer);
		return matcher.find() ? new RequiredRbac(matcher.group(3), matcher.group(2), List.of(),
				List.of(matcher.group(1)), matcher.group(4)) : null;
	}

	/**
	 * Returns the rights that a reconciler misses at the moment.
	 * @param reconciler the container of the reconciler
	 * @return the rules that must be granted; empty if none is known to be missing
	 */
	public List<RequiredRbac> of(ReconcilerContainer reconciler) {
		Map<RequiredRbac, ObjectKey> rules = this.refused.getOrDefault(reconciler, Map.of());
		// An object that is gone is not reconciled any more.
		boolean failing = !rules.isEmpty() && reconciler.status().queue().failingKeys() > 0;
		return failing ? List.copyOf(rules.keySet()) : List.of();
	}

}
