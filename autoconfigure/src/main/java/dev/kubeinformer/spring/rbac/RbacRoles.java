package dev.kubeinformer.spring.rbac;

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

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.informer.RequiredRbac;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.reconciler.MissingRights;
import dev.kubeinformer.spring.reconciler.ReconcilerRbac;
import dev.kubeinformer.spring.reconciler.Reconcilers;

/**
 * Minimal RBAC roles for informers and reconcilers: a {@code ClusterRole} for
 * cluster-wide resources, and a {@code Role} for each separate namespace. If only certain
 * objects of a resource are used by name, the rules are limited to these names. The roles
 * are computed from specs, so no component needs to be running.
 */
final class RbacRoles {

	private static final String WHOLE_CLUSTER = "";

	private static final List<String> CACHED = List.of("list", "watch");

	/** Permissions by namespace, API group and plural name of the resource. */
	private final Map<String, Map<String, Map<String, RbacRights>>> resources = new TreeMap<>();

	/**
	 * Returns the roles of all informers and reconcilers, including those that are not
	 * started.
	 * @param informers the informers
	 * @param handlers the handlers
	 * @param reconcilers the reconcilers
	 * @param missingRights the permissions that reconcilers were denied
	 * @return the roles
	 */
	static RbacRoles of(Informers informers, Collection<InformerHandlerContainer> handlers, Reconcilers reconcilers,
			MissingRights missingRights) {
		RbacRoles roles = new RbacRoles();
		Set<InformerSpec<?>> present = new HashSet<>();
		for (Informer<?> informer : informers.all()) {
			present.add(informer.spec());
			roles.add(informer.spec(), informer.namespaces());
		}
		for (InformerHandlerContainer handler : handlers) {
			if (!present.contains(handler.spec())) {
				roles.add(handler.spec(), handler.spec().namespaces());
			}
		}
		for (ReconcilerContainer reconciler : reconcilers.of(informers)) {
			List<String> ownedVerbs = reconcilers.details(reconciler).ownedVerbs();
			ReconcilerRbac.of(reconciler.spec(), ownedVerbs).forEach(roles::add);
			missingRights.of(reconciler, ownedVerbs).forEach(roles::add);
		}
		return roles;
	}

	private void add(InformerSpec<?> spec, Collection<String> namespaces) {
		List<String> names = (spec.objectName() != null) ? List.of(spec.objectName()) : List.of();
		for (String namespace : namespaces.isEmpty() ? Set.of(WHOLE_CLUSTER) : namespaces) {
			rights(namespace, spec.type().group(), spec.type().plural()).grant(names, CACHED);
		}
	}

	/**
	 * Adds a rule.
	 * @param rule the rule
	 */
	void add(RequiredRbac rule) {
		rights((rule.namespace() != null) ? rule.namespace() : WHOLE_CLUSTER, rule.apiGroup(), rule.resource())
			.grant(rule.resourceNames(), rule.verbs());
	}

	private RbacRights rights(String namespace, String group, String plural) {
		return this.resources.computeIfAbsent(namespace, (key) -> new TreeMap<>())
			.computeIfAbsent(group, (key) -> new TreeMap<>())
			.computeIfAbsent(plural, (key) -> new RbacRights());
	}

	private void removeWhatTheClusterRoleGrants() {
		Map<String, Map<String, RbacRights>> granted = this.resources.getOrDefault(WHOLE_CLUSTER, Map.of());
		this.resources.forEach((namespace, byGroup) -> {
			if (!namespace.equals(WHOLE_CLUSTER)) {
				granted.forEach((group, rights) -> rights
					.forEach((plural, everywhere) -> byGroup.getOrDefault(group, new TreeMap<>())
						.computeIfPresent(plural, (key, here) -> here.without(everywhere))));
				byGroup.values().removeIf(Map::isEmpty);
			}
		});
		this.resources.values().removeIf(Map::isEmpty);
	}

	/**
	 * Returns the roles as trees of maps, lists and strings.
	 * @param name the name of the roles
	 * @return the roles; empty if no permission is needed
	 */
	List<Map<String, Object>> toDocuments(String name) {
		removeWhatTheClusterRoleGrants();
		List<Map<String, Object>> documents = new ArrayList<>();
		this.resources.forEach((namespace, byGroup) -> documents.add(role(name, namespace, byGroup)));
		return documents;
	}

	/**
	 * Writes documents as YAML for {@code kubectl apply}.
	 * @param documents the documents
	 * @return the YAML; a comment if there is no document
	 */
	static String toYaml(List<Map<String, Object>> documents) {
		if (documents.isEmpty()) {
			return "# There are no informers, so no role is needed.\n";
		}
		DumperOptions options = new DumperOptions();
		options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
		options.setExplicitStart(true);
		return new Yaml(options).dumpAll(documents.iterator());
	}

	private static Map<String, Object> role(String name, String namespace,
			Map<String, Map<String, RbacRights>> byGroup) {
		Map<String, Object> metadata = new LinkedHashMap<>();
		metadata.put("name", name);
		if (!namespace.equals(WHOLE_CLUSTER)) {
			metadata.put("namespace", namespace);
		}
		List<Object> rules = new ArrayList<>();
		byGroup.forEach((group, rights) -> {
			Map<RbacRights.Rule, Set<String>> plurals = new LinkedHashMap<>();
			rights.forEach((plural, granted) -> granted.rules()
				.forEach((rule) -> plurals.computeIfAbsent(rule, (key) -> new TreeSet<>()).add(plural)));
			plurals.forEach((rule, together) -> rules.add(rule(group, together, rule)));
		});
		Map<String, Object> role = new LinkedHashMap<>();
		role.put("apiVersion", "rbac.authorization.k8s.io/v1");
		role.put("kind", namespace.equals(WHOLE_CLUSTER) ? "ClusterRole" : "Role");
		role.put("metadata", metadata);
		role.put("rules", rules);
		return role;
	}

	private static Map<String, Object> rule(String group, Set<String> plurals, RbacRights.Rule granted) {
		Map<String, Object> rule = new LinkedHashMap<>();
		rule.put("apiGroups", List.of(group));
		rule.put("resources", List.copyOf(plurals));
		if (!granted.names().isEmpty()) {
			rule.put("resourceNames", List.copyOf(granted.names()));
		}
		// Use a separate list per rule, because the YAML would refer to a shared list by
		// an alias.
		rule.put("verbs", new ArrayList<>(granted.verbs()));
		return rule;
	}

}
