package dev.kubeinformer.spring.reconciler;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.informer.RequiredRbac;
import dev.kubeinformer.types.ObjectKey;

/**
 * RBAC rules to grant to a reconciler after a permission was denied. The API server names
 * only one verb in one namespace, but the reconciler needs all of its verbs on that
 * resource in all of its namespaces. Granting only the denied permission would lead to
 * the next denial.
 */
final class NeededRights {

	private final ReconcilerSpec<?> spec;

	private final List<RequiredRbac> declared;

	private final Map<Place, Set<String>> verbs = new LinkedHashMap<>();

	NeededRights(ReconcilerSpec<?> spec, Collection<String> ownedVerbs) {
		this.spec = spec;
		this.declared = ReconcilerRbac.of(spec, ownedVerbs);
	}

	/**
	 * Adds the rules for a denied permission.
	 * @param refused the denied permission
	 * @param key the object that was reconciled
	 */
	void add(RequiredRbac refused, ObjectKey key) {
		List<RequiredRbac> needed = this.declared.stream()
			.filter((rule) -> rule.apiGroup().equals(refused.apiGroup()) && rule.resource().equals(refused.resource()))
			.toList();
		if (needed.stream().anyMatch((rule) -> covers(rule, refused))) {
			needed.forEach((rule) -> grant(rule, rule.namespace(), rule.verbs()));
			if (needed.stream().noneMatch((rule) -> rule.verbs().containsAll(refused.verbs()))) {
				addUndeclared(refused, needed);
			}
			return;
		}
		Set<String> wanted = new LinkedHashSet<>();
		if (refused.verbs().contains("patch") && refused.resource().indexOf('/') < 0) {
			// An apply creates an object that does not exist.
			wanted.add("create");
		}
		wanted.addAll(refused.verbs());
		boolean sameNamespace = this.spec.type().namespaced() && key.namespace().equals(refused.namespace());
		if (!sameNamespace) {
			grant(refused, refused.namespace(), wanted);
		}
		else if (this.spec.namespaces().isEmpty()) {
			grant(refused, null, wanted);
		}
		else {
			this.spec.namespaces().forEach((namespace) -> grant(refused, namespace, wanted));
		}
	}

	private void addUndeclared(RequiredRbac refused, List<RequiredRbac> needed) {
		List<RequiredRbac> whole = needed.stream().filter((rule) -> rule.resourceNames().isEmpty()).toList();
		if (whole.isEmpty()) {
			grant(refused, refused.namespace(), refused.verbs());
		}
		whole.forEach((rule) -> grant(rule, rule.namespace(), refused.verbs()));
	}

	private static boolean covers(RequiredRbac rule, RequiredRbac refused) {
		return rule.namespace() == null || rule.namespace().equals(refused.namespace());
	}

	private void grant(RequiredRbac rule, @Nullable String namespace, Collection<String> more) {
		this.verbs
			.computeIfAbsent(new Place(rule.apiGroup(), rule.resource(), rule.resourceNames(), namespace),
					(place) -> new LinkedHashSet<>())
			.addAll(more);
	}

	/**
	 * Returns the rules.
	 * @return the rules, one for each resource and namespace
	 */
	List<RequiredRbac> rules() {
		return this.verbs.entrySet()
			.stream()
			.map((entry) -> entry.getKey().rule(List.copyOf(entry.getValue())))
			.toList();
	}

	/**
	 * Objects to which granted verbs apply.
	 *
	 * @param apiGroup the API group
	 * @param resource the plural name of the resource
	 * @param names the names of objects; empty for all
	 * @param namespace the namespace; {@code null} for the whole cluster
	 */
	private record Place(String apiGroup, String resource, List<String> names, @Nullable String namespace) {

		RequiredRbac rule(List<String> verbs) {
			return new RequiredRbac(this.apiGroup, this.resource, this.names, verbs, this.namespace);
		}

	}

}
