package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

import dev.kubeinformer.Informer;
import dev.kubeinformer.InformerSpec;
import dev.kubeinformer.Informers;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;

/**
 * The RBAC roles that informers need, and no more: a {@code ClusterRole} for what is read
 * in the whole cluster, and a {@code Role} for each namespace that is read by itself.
 */
final class RbacRoles {

	private static final String WHOLE_CLUSTER = "";

	/** Resources by API group, by namespace. */
	private final Map<String, Map<String, Set<String>>> resources = new TreeMap<>();

	private RbacRoles() {
	}

	/**
	 * Roles of all informers, also of those whose handler was not started yet.
	 * @param informers the informers
	 * @param handlers the handlers
	 * @return the roles
	 */
	static RbacRoles of(Informers informers, InformerHandlerRegistry handlers) {
		RbacRoles roles = new RbacRoles();
		Set<InformerSpec<?>> present = new HashSet<>();
		for (Informer<?> informer : informers.all()) {
			present.add(informer.spec());
			roles.add(informer.spec().type(), informer.namespaces());
		}
		for (InformerHandlerContainer handler : handlers.all()) {
			if (!present.contains(handler.spec())) {
				roles.add(handler.spec().type(), handler.spec().namespaces());
			}
		}
		roles.removeWhatTheClusterRoleGrants();
		return roles;
	}

	private void add(ResourceType<?> type, Collection<String> namespaces) {
		for (String namespace : namespaces.isEmpty() ? Set.of(WHOLE_CLUSTER) : namespaces) {
			this.resources.computeIfAbsent(namespace, (key) -> new TreeMap<>())
				.computeIfAbsent(type.group(), (key) -> new TreeSet<>())
				.add(type.plural());
		}
	}

	private void removeWhatTheClusterRoleGrants() {
		Map<String, Set<String>> granted = this.resources.getOrDefault(WHOLE_CLUSTER, Map.of());
		this.resources.forEach((namespace, byGroup) -> {
			if (!namespace.equals(WHOLE_CLUSTER)) {
				granted.forEach((group, plurals) -> byGroup.getOrDefault(group, new TreeSet<>()).removeAll(plurals));
				byGroup.values().removeIf(Set::isEmpty);
			}
		});
		this.resources.values().removeIf(Map::isEmpty);
	}

	/**
	 * Writes the roles as documents of YAML, as {@code kubectl apply} takes them.
	 * @param name the name of the roles
	 * @return the documents; a comment if there is nothing to grant
	 */
	String toYaml(String name) {
		if (this.resources.isEmpty()) {
			return "# There are no informers, so no role is needed.\n";
		}
		List<Object> documents = new ArrayList<>();
		this.resources.forEach((namespace, byGroup) -> documents.add(role(name, namespace, byGroup)));
		DumperOptions options = new DumperOptions();
		options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
		options.setExplicitStart(true);
		return new Yaml(options).dumpAll(documents.iterator());
	}

	private static Map<String, Object> role(String name, String namespace, Map<String, Set<String>> byGroup) {
		Map<String, Object> metadata = new LinkedHashMap<>();
		metadata.put("name", name);
		if (!namespace.equals(WHOLE_CLUSTER)) {
			metadata.put("namespace", namespace);
		}
		List<Object> rules = new ArrayList<>();
		byGroup.forEach((group, plurals) -> rules.add(rule(group, plurals)));
		Map<String, Object> role = new LinkedHashMap<>();
		role.put("apiVersion", "rbac.authorization.k8s.io/v1");
		role.put("kind", namespace.equals(WHOLE_CLUSTER) ? "ClusterRole" : "Role");
		role.put("metadata", metadata);
		role.put("rules", rules);
		return role;
	}

	private static Map<String, Object> rule(String group, Set<String> plurals) {
		Map<String, Object> rule = new LinkedHashMap<>();
		rule.put("apiGroups", List.of(group));
		rule.put("resources", List.copyOf(plurals));
		// a list of its own for each rule: YAML would refer to one that is shared
		rule.put("verbs", List.of("list", "watch"));
		return rule;
	}

}
