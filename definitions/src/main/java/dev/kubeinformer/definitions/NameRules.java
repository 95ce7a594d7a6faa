package dev.kubeinformer.definitions;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import dev.kubeinformer.resource.KubernetesResource;

/**
 * Rules of kube-apiserver for the names in a definition.
 */
final class NameRules {

	/** The pattern of {@code IsDNS1035Label} of k8s.io/apimachinery. */
	private static final Pattern LABEL = Pattern.compile("[a-z]([-a-z0-9]{0,61}[a-z0-9])?");

	/** The pattern of {@code IsDNS1123Subdomain}, with at least one dot. */
	private static final Pattern DOMAIN = Pattern
		.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+");

	private static final int LONGEST_NAME = 253;

	private static final int LONGEST_WARNING = 256;

	private static final String LABEL_ADVICE = "use at most 63 lower-case letters, digits and '-', beginning with a "
			+ "letter";

	private NameRules() {
	}

	/**
	 * Checks the names of a version of a definition.
	 * @param version the version
	 * @throws InvalidDefinitionException if kube-apiserver would reject a name
	 */
	static void check(DefinitionVersion version) {
		KubernetesResource resource = version.resource();
		checkGroup(version);
		requireLabel(version, "version", resource.version());
		requireLabel(version, "plural", resource.plural());
		requireLabel(version, "kind", version.kind().toLowerCase(Locale.ROOT), version.kind());
		requireLabel(version, "singular", version.singular());
		List.of(resource.shortNames()).forEach((name) -> requireLabel(version, "short name", name));
		List.of(resource.categories()).forEach((name) -> requireLabel(version, "category", name));
		checkWarning(version, resource.deprecationWarning());
	}

	private static void checkGroup(DefinitionVersion version) {
		String group = version.resource().group();
		if (!DOMAIN.matcher(group).matches()) {
			throw invalid(version, "group", group, "use a domain with at least one dot, such as 'example.com'");
		}
		if (version.name().length() > LONGEST_NAME) {
			throw invalid(version, "name", version.name(), "use at most %d characters".formatted(LONGEST_NAME));
		}
	}

	/**
	 * Returns whether kube-apiserver asks for an approval of definitions of a group.
	 * @param group the group
	 * @return {@code true} for a group of the Kubernetes community
	 */
	static boolean isProtected(String group) {
		return ("." + group).endsWith(".k8s.io") || ("." + group).endsWith(".kubernetes.io");
	}

	private static void requireLabel(DefinitionVersion version, String role, String name) {
		requireLabel(version, role, name, name);
	}

	private static void requireLabel(DefinitionVersion version, String role, String label, String name) {
		if (!LABEL.matcher(label).matches()) {
			throw invalid(version, role, name, role.equals("kind")
					? "use at most 63 letters, digits and '-', beginning with a letter" : LABEL_ADVICE);
		}
	}

	private static void checkWarning(DefinitionVersion version, String warning) {
		if (warning.length() > LONGEST_WARNING) {
			throw invalid(version, "deprecation warning", warning,
					"use at most %d characters".formatted(LONGEST_WARNING));
		}
		if (warning.chars().anyMatch(Character::isISOControl)) {
			throw invalid(version, "deprecation warning", warning, "use printable characters only");
		}
	}

	private static InvalidDefinitionException invalid(DefinitionVersion version, String role, String name,
			String advice) {
		return new InvalidDefinitionException(version.type(), "",
				"its @KubernetesResource has the %s '%s', which kube-apiserver rejects".formatted(role, name), advice);
	}

}
