package dev.kubeinformer.spring.test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * Lists the permissions that the RBAC objects in a file grant, so that two files can be
 * compared.
 */
final class RbacGrants {

	private final SortedSet<String> lines = new TreeSet<>();

	private RbacGrants() {
	}

	/**
	 * Returns the grants of a manifest.
	 * @param yaml the manifest
	 * @return a line for each verb on each resource, and for each subject of a binding,
	 * sorted
	 * @throws IllegalArgumentException if the text is not YAML, or a document has no kind
	 */
	static SortedSet<String> of(String yaml) {
		List<Map<String, Object>> documents = new ArrayList<>();
		try {
			for (Object document : new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(yaml)) {
				if (document != null) {
					documents.add(object(document));
				}
			}
		}
		catch (YAMLException ex) {
			throw new IllegalArgumentException(ex.getMessage(), ex);
		}
		return of(documents);
	}

	static SortedSet<String> of(List<Map<String, Object>> documents) {
		RbacGrants grants = new RbacGrants();
		documents.forEach(grants::add);
		return grants.lines;
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> object(Object document) {
		if (document instanceof Map<?, ?> map && map.get("kind") instanceof String) {
			return (Map<String, Object>) map;
		}
		throw new IllegalArgumentException("a document has no 'kind'");
	}

	private void add(Map<String, Object> document) {
		String subject = subject(document);
		List<?> parts = document.containsKey("roleRef") ? list(document.get("subjects")) : list(document.get("rules"));
		if (parts.isEmpty()) {
			this.lines.add(subject + ": nothing");
		}
		if (document.get("aggregationRule") != null) {
			this.lines.add("%s: the rights of others by %s".formatted(subject, document.get("aggregationRule")));
		}
		for (Object part : parts) {
			if (document.get("roleRef") instanceof Map<?, ?> role) {
				this.lines.add("%s: %s '%s' to %s".formatted(subject, qualified(role), role.get("name"), sorted(part)));
			}
			else if (part instanceof Map<?, ?> rule && rule.containsKey("resources")) {
				rule(subject, rule);
			}
			else {
				this.lines.add("%s: %s".formatted(subject, sorted(part)));
			}
		}
	}

	private static String qualified(Map<?, ?> role) {
		// Kubernetes sets a missing group to "rbac.authorization.k8s.io".
		Object group = role.get("apiGroup");
		boolean usual = group == null || "".equals(group) || "rbac.authorization.k8s.io".equals(group);
		return usual ? "" + role.get("kind") : role.get("kind") + "." + group;
	}

	private static Object sorted(Object part) {
		if (!(part instanceof Map<?, ?> map)) {
			return part;
		}
		SortedMap<String, Object> sorted = new TreeMap<>();
		map.forEach((key, value) -> {
			if (!("apiGroup".equals(key) && (value == null || "".equals(value)))) {
				sorted.put(String.valueOf(key), value);
			}
		});
		return sorted;
	}

	private static String subject(Map<String, Object> document) {
		Map<?, ?> metadata = (document.get("metadata") instanceof Map<?, ?> map) ? map : Map.of();
		Object namespace = metadata.get("namespace");
		String name = (namespace != null) ? namespace + "/" + metadata.get("name") : "" + metadata.get("name");
		String version = "rbac.authorization.k8s.io/v1".equals(document.get("apiVersion")) ? ""
				: document.get("apiVersion") + " ";
		return "%s%s '%s'".formatted(version, document.get("kind"), name);
	}

	private void rule(String subject, Map<?, ?> rule) {
		List<?> names = list(rule.get("resourceNames"));
		for (Object group : list(rule.get("apiGroups"))) {
			for (Object resource : list(rule.get("resources"))) {
				String qualified = "".equals(group) ? "" + resource : resource + "." + group;
				for (Object verb : list(rule.get("verbs"))) {
					for (Object name : names.isEmpty() ? List.of("") : names) {
						this.lines.add("%s: %s %s %s".formatted(subject, verb, qualified, name).strip());
					}
				}
			}
		}
	}

	private static List<?> list(@Nullable Object value) {
		return (value instanceof List<?> list) ? list : List.of();
	}

}
