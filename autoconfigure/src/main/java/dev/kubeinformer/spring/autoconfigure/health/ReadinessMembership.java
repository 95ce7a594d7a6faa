package dev.kubeinformer.spring.autoconfigure.health;

import java.util.Set;

/**
 * Membership in the readiness group according to the properties {@code include} and
 * {@code exclude} of the group. Boot's own rule is public only since 4.1, as
 * {@code HealthContributorMembership}.
 *
 * @param include the names of included members and their parents; empty or with {@code *}
 * for all
 * @param exclude the names of excluded members and their parents
 */
record ReadinessMembership(Set<String> include, Set<String> exclude) {

	/**
	 * Returns whether a contributor is a member.
	 * @param name the name of the contributor, with the names of its parents, separated
	 * by {@code /}
	 * @return {@code true} if the contributor is a member
	 */
	boolean isMember(String name) {
		String clean = name.trim();
		return (this.include.isEmpty() || names(this.include, clean)) && !names(this.exclude, clean);
	}

	private static boolean names(Set<String> names, String name) {
		if (names.contains("*") || names.contains(name)) {
			return true;
		}
		int end = name.lastIndexOf('/');
		return end >= 0 && names(names, name.substring(0, end));
	}

}
