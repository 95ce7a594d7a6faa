package dev.kubeinformer.definitions;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * Finds names, such as a plural, that two definitions of one group share. The API server
 * accepts only the definition that was created first ({@code naming_controller.go} of
 * k8s.io/apiextensions).
 */
final class NameCollisions {

	private NameCollisions() {
	}

	/**
	 * Checks the names of definitions.
	 * @param definitions the definitions
	 * @throws InvalidDefinitionException if two of a group have a name in common
	 */
	static void check(List<Definition> definitions) {
		Map<String, DefinitionVersion> known = new HashMap<>();
		for (Definition definition : definitions) {
			DefinitionVersion version = definition.versions().get(0);
			for (String name : names(version)) {
				DefinitionVersion other = known.putIfAbsent(version.resource().group() + "/" + name, version);
				if (other != null) {
					throw new InvalidDefinitionException(version.type(), "",
							"its plural, singular, kind or short name '%s' is one of '%s', too".formatted(name,
									other.type().getName()),
							"use another one, because names are unique in the group '%s'"
								.formatted(version.resource().group()));
				}
			}
		}
	}

	private static Iterable<String> names(DefinitionVersion version) {
		List<String> names = new ArrayList<>(List.of(version.resource().shortNames()));
		names.add(version.resource().plural());
		names.add(version.singular());
		// Kinds are a set of their own; what differs in case cannot collide with the
		// names above.
		names.add("kind " + version.kind());
		names.add("kind " + version.kind() + "List");
		return new LinkedHashSet<>(names);
	}

}
