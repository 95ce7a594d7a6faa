package dev.kubeinformer.test.internal.resource;

import java.util.List;
import java.util.Set;

/**
 * Served resource: one group, version and plural.
 *
 * @param resource the group and plural, which name the storage
 * @param version the version
 * @param kind the kind of its objects
 * @param namespaced whether its objects belong to namespaces
 * @param model the simple name of its model class in the official client, empty for a
 * custom resource
 * @param traits the other properties in discovery
 */
public record ResourceDefinition(GroupResource resource, String version, String kind, boolean namespaced, String model,
		ResourceTraits traits) {

	private static final List<String> VERBS = List.of("create", "delete", "deletecollection", "get", "list", "patch",
			"update", "watch");

	// Verbs of custom resources, in the order in which kube-apiserver lists them.
	private static final List<String> CUSTOM_VERBS = List.of("delete", "deletecollection", "get", "list", "patch",
			"create", "update", "watch");

	private static final Set<String> UPDATED_WITH_VERSION = Set.of("leases", "poddisruptionbudgets",
			"customresourcedefinitions");

	private static final Set<String> GROUPS_WITH_GENERATION = Set.of("apps", "batch", "networking.k8s.io", "policy",
			"admissionregistration.k8s.io", "flowcontrol.apiserver.k8s.io", "apiextensions.k8s.io", "discovery.k8s.io");

	private static final Set<String> CORE_WITH_GENERATION = Set.of("pods", "podtemplates", "replicationcontrollers");

	private static final Set<String> OTHERS_WITH_GENERATION = Set.of("priorityclasses", "deviceclasses",
			"resourceslices");

	private static final Set<String> RETURNED_BY_DELETE = Set.of("pods", "services", "serviceaccounts",
			"persistentvolumes", "persistentvolumeclaims", "podtemplates", "resourcequotas", "namespaces");

	public ResourceDefinition(GroupResource resource, String version, String kind, boolean namespaced, String model) {
		this(resource, version, kind, namespaced, model, ResourceTraits.plain(kind));
	}

	// Returns the verbs that discovery lists.
	public List<String> verbs() {
		if (!group().isEmpty()) {
			return (isCustom()) ? CUSTOM_VERBS : VERBS;
		}
		return switch (plural()) {
			case "componentstatuses" -> List.of("get", "list");
			case "namespaces" -> VERBS.stream().filter((verb) -> !"deletecollection".equals(verb)).toList();
			default -> VERBS;
		};
	}

	/**
	 * Returns whether an update must contain the resourceVersion that it replaces.
	 */
	public boolean needsVersionForUpdate() {
		return isCustom() || UPDATED_WITH_VERSION.contains(plural());
	}

	public boolean isCustom() {
		return this.traits.custom();
	}

	public boolean hasStatus() {
		return this.traits.status();
	}

	public String group() {
		return this.resource.group();
	}

	public String plural() {
		return this.resource.plural();
	}

	public String groupVersion() {
		return (group().isEmpty()) ? this.version : group() + "/" + this.version;
	}

	/**
	 * Returns whether new objects of this type have a {@code metadata.generation}.
	 */
	public boolean hasGeneration() {
		if (isCustom()) {
			return true;
		}
		return (group().isEmpty()) ? CORE_WITH_GENERATION.contains(plural()) : OTHERS_WITH_GENERATION.contains(plural())
				|| (GROUPS_WITH_GENERATION.contains(group()) && !"controllerrevisions".equals(plural()));
	}

	/**
	 * Returns whether a change increases {@code metadata.generation}, or sets an absent
	 * generation to 1.
	 */
	public boolean countsChanges() {
		return (hasGeneration() && !"priorityclasses".equals(plural())) || "csidrivers".equals(plural());
	}

	/**
	 * Returns whether the response to a delete is the object instead of a Status.
	 */
	public boolean isReturnedByDelete() {
		return group().isEmpty() && RETURNED_BY_DELETE.contains(plural());
	}

}
