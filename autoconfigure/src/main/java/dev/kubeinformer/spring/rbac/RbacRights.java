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
 * Rights on one resource: which verbs are granted on all of its objects, and which on
 * objects of certain names.
 */
final class RbacRights {

	/** No object has it. */
	private static final String ALL = "";

	/** The order in which people write them. */
	private static final List<String> VERBS = List.of("get", "list", "watch", "create", "update", "patch", "delete");

	private static final Comparator<String> BY_CUSTOM = Comparator
		.<String>comparingInt((verb) -> VERBS.contains(verb) ? VERBS.indexOf(verb) : VERBS.size())
		.thenComparing(Comparator.naturalOrder());

	private final Map<String, Set<String>> verbsByName = new TreeMap<>();

	/**
	 * Adds rights.
	 * @param names the names of the objects; empty for all
	 * @param verbs the verbs
	 */
	void grant(Collection<String> names, Collection<String> verbs) {
		for (String name : names.isEmpty() ? List.of(ALL) : names) {
			this.verbsByName.computeIfAbsent(name, (key) -> new TreeSet<>(BY_CUSTOM)).addAll(verbs);
		}
	}

	/**
	 * Returns what is left if other rights are granted elsewhere.
	 * @param granted the other rights
	 * @return what is left; {@code null} if it is nothing
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
	 * Returns the rights as rules, of which none grants what another does.
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
