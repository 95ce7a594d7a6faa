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

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

import dev.kubeinformer.Informer;
import dev.kubeinformer.InformerSpec;
import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;

/**
 * The RBAC roles that informers need, and no more: a {@code ClusterRole} for what is read
 * in the whole cluster, and a {@code Role} for each namespace that is read by itself. Of
 * a resource of which single objects are read by name, only those are granted.
 */
final class RbacRoles {

	private static final String WHOLE_CLUSTER = "";

	/** Objects by plural name of their resource, by API group, by namespace. */
	private final Map<String, Map<String, Map<String, Objects>>> resources = new TreeMap<>();

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
			roles.add(informer.spec(), informer.namespaces());
		}
		for (InformerHandlerContainer handler : handlers.all()) {
			if (!present.contains(handler.spec())) {
				roles.add(handler.spec(), handler.spec().namespaces());
			}
		}
		roles.removeWhatTheClusterRoleGrants();
		return roles;
	}

	private void add(InformerSpec<?> spec, Collection<String> namespaces) {
		for (String namespace : namespaces.isEmpty() ? Set.of(WHOLE_CLUSTER) : namespaces) {
			this.resources.computeIfAbsent(namespace, (key) -> new TreeMap<>())
				.computeIfAbsent(spec.type().group(), (key) -> new TreeMap<>())
				.merge(spec.type().plural(), Objects.of(spec.objectName()), Objects::and);
		}
	}

	private void removeWhatTheClusterRoleGrants() {
		Map<String, Map<String, Objects>> granted = this.resources.getOrDefault(WHOLE_CLUSTER, Map.of());
		this.resources.forEach((namespace, byGroup) -> {
			if (!namespace.equals(WHOLE_CLUSTER)) {
				granted.forEach((group, objects) -> objects
					.forEach((plural, names) -> byGroup.getOrDefault(group, new TreeMap<>())
						.computeIfPresent(plural, (key, here) -> here.without(names))));
				byGroup.values().removeIf(Map::isEmpty);
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

	private static Map<String, Object> role(String name, String namespace, Map<String, Map<String, Objects>> byGroup) {
		Map<String, Object> metadata = new LinkedHashMap<>();
		metadata.put("name", name);
		if (!namespace.equals(WHOLE_CLUSTER)) {
			metadata.put("namespace", namespace);
		}
		List<Object> rules = new ArrayList<>();
		byGroup.forEach((group, objects) -> {
			Map<Objects, Set<String>> plurals = new LinkedHashMap<>();
			objects.forEach((plural, names) -> plurals.computeIfAbsent(names, (key) -> new TreeSet<>()).add(plural));
			plurals.forEach((names, together) -> rules.add(rule(group, together, names)));
		});
		Map<String, Object> role = new LinkedHashMap<>();
		role.put("apiVersion", "rbac.authorization.k8s.io/v1");
		role.put("kind", namespace.equals(WHOLE_CLUSTER) ? "ClusterRole" : "Role");
		role.put("metadata", metadata);
		role.put("rules", rules);
		return role;
	}

	private static Map<String, Object> rule(String group, Set<String> plurals, Objects objects) {
		Map<String, Object> rule = new LinkedHashMap<>();
		rule.put("apiGroups", List.of(group));
		rule.put("resources", List.copyOf(plurals));
		if (!objects.names().isEmpty()) {
			rule.put("resourceNames", List.copyOf(objects.names()));
		}
		// A list of its own for each rule: YAML would refer to one that is shared.
		rule.put("verbs", List.of("list", "watch"));
		return rule;
	}

	/**
	 * Objects of one resource that are read.
	 *
	 * @param names their names; empty for all of them
	 */
	private record Objects(Set<String> names) {

		private static final Objects ALL = new Objects(Set.of());

		static Objects of(@Nullable String name) {
			return (name != null) ? new Objects(Set.of(name)) : ALL;
		}

		Objects and(Objects others) {
			if (this.names.isEmpty() || others.names.isEmpty()) {
				return ALL;
			}
			Set<String> all = new TreeSet<>(this.names);
			all.addAll(others.names);
			return new Objects(all);
		}

		@Nullable Objects without(Objects others) {
			Set<String> left = new TreeSet<>(this.names);
			left.removeAll(others.names);
			return (others.names.isEmpty() || (!this.names.isEmpty() && left.isEmpty())) ? null : new Objects(left);
		}

	}

}
