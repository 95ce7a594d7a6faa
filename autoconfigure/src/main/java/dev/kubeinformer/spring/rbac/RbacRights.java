package dev.kubeinformer.spring.rbac;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

/**
 * Permissions on one resource: verbs for all of its objects, and verbs for objects with
 * certain names.
 */
final class RbacRights {

	/** Key of the verbs for all objects; not a valid object name. */
	private static final String ALL = "";

	/** Usual order of verbs in documents. */
	private static final List<String> VERBS = List.of("get", "list", "watch", "create", "update", "patch", "delete");

	private static final Comparator<String> BY_CUSTOM = Comparator
		.<String>comparingInt((verb) -> VERBS.contains(verb) ? VERBS.indexOf(verb) : VERBS.size())
		.thenComparing(Comparator.naturalOrder());

	private final Map<String, Set<String>> verbsByName = new TreeMap<>();

	/**
	 * Adds permissions.
	 * @param names the names of the objects; empty for all
	 * @param verbs the verbs
	 */
	void grant(Collection<String> names, Collection<String> verbs) {
		for (String name : names.isEmpty() ? List.of(ALL) : names) {
			this.verbsByName.computeIfAbsent(name, (key) -> new TreeSet<>(BY_CUSTOM)).addAll(verbs);
		}
	}

	/**
	 * Returns the permissions that another role does not grant already.
	 * @param granted the permissions that the other role grants
	 * @return the remaining permissions; {@code null} if none remain
	 */
	@Nullable RbacRights without(RbacRights granted) {
		RbacRights left = new RbacRights();
		this.verbsByName.forEach((name, verbs) -> {
			Set<String> missing = new TreeSet<>(verbs);
			missing.removeAll(granted.verbs(ALL));
			missing.removeAll(granted.verbs(name));
			if (!missing.isEmpty()) {
				left.grant(List.of(name), missing);
			}
		});
		return left.verbsByName.isEmpty() ? null : left;
	}

	private Set<String> verbs(String name) {
		return this.verbsByName.getOrDefault(name, Set.of());
	}

	/**
	 * Returns the permissions as rules that do not overlap.
	 * @return the rules
	 */
	List<Rule> rules() {
		List<Rule> rules = new ArrayList<>();
		Map<Set<String>, Set<String>> namesByVerbs = new LinkedHashMap<>();
		this.verbsByName.forEach((name, verbs) -> {
			Set<String> added = new TreeSet<>(BY_CUSTOM);
			added.addAll(verbs);
			if (!name.equals(ALL)) {
				added.removeAll(verbs(ALL));
			}
			if (!added.isEmpty()) {
				namesByVerbs.computeIfAbsent(added, (key) -> new TreeSet<>()).add(name);
			}
		});
		namesByVerbs.forEach((verbs, names) -> rules.add(new Rule(names.contains(ALL) ? Set.of() : names, verbs)));
		return rules;
	}

	/**
	 * Rule on a resource.
	 *
	 * @param names the names of the objects; empty for all
	 * @param verbs the verbs
	 */
	record Rule(Set<String> names, Set<String> verbs) {

	}

}
