package dev.kubeinformer.test;

import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the server says of itself: its version, groups and resources.
 */
final class Discovery {

	private static final List<String> VERBS = List.of("create", "delete", "get", "list", "patch", "update", "watch");

	private static final Map<String, String> SHORT_NAMES = Map.ofEntries(Map.entry("configmaps", "cm"),
			Map.entry("endpoints", "ep"), Map.entry("events", "ev"), Map.entry("namespaces", "ns"),
			Map.entry("nodes", "no"), Map.entry("persistentvolumeclaims", "pvc"), Map.entry("persistentvolumes", "pv"),
			Map.entry("pods", "po"), Map.entry("replicationcontrollers", "rc"), Map.entry("serviceaccounts", "sa"),
			Map.entry("services", "svc"), Map.entry("daemonsets", "ds"), Map.entry("deployments", "deploy"),
			Map.entry("replicasets", "rs"), Map.entry("statefulsets", "sts"), Map.entry("cronjobs", "cj"),
			Map.entry("horizontalpodautoscalers", "hpa"), Map.entry("ingresses", "ing"),
			Map.entry("networkpolicies", "netpol"), Map.entry("poddisruptionbudgets", "pdb"),
			Map.entry("storageclasses", "sc"), Map.entry("customresourcedefinitions", "crd"));

	private final ResourceTypes types;

	Discovery(ResourceTypes types) {
		this.types = types;
	}

	/**
	 * Return the document at a path.
	 * @param path the path
	 * @return the document, or {@code null} if there is none at this path
	 */
	@Nullable ObjectNode find(String path) {
		String[] segments = path.split("/");
		String first = (segments.length > 1) ? segments[1] : "";
		return switch (first) {
			case "version" -> (segments.length == 2) ? version() : null;
			case "api" -> switch (segments.length) {
				case 2 -> coreVersions();
				case 3 -> resources("", segments[2]);
				default -> null;
			};
			case "apis" -> switch (segments.length) {
				case 2 -> groups();
				case 3 -> group(segments[2]);
				case 4 -> resources(segments[2], segments[3]);
				default -> null;
			};
			default -> null;
		};
	}

	private static ObjectNode version() {
		return Json.object()
			.put("major", "1")
			.put("minor", "36")
			.put("gitVersion", "v1.36.0-embedded")
			.put("gitCommit", "")
			.put("gitTreeState", "")
			.put("buildDate", "1970-01-01T00:00:00Z")
			.put("goVersion", "")
			.put("compiler", "")
			.put("platform", "");
	}

	private ObjectNode coreVersions() {
		ObjectNode document = Json.object().put("kind", "APIVersions");
		ArrayNode versions = document.putArray("versions");
		this.types.versions("").forEach(versions::add);
		document.putArray("serverAddressByClientCIDRs");
		return document;
	}

	private ObjectNode groups() {
		ObjectNode document = Json.object().put("kind", "APIGroupList").put("apiVersion", "v1");
		ArrayNode groups = document.putArray("groups");
		this.types.groups().forEach((group) -> groups.add(describe(group, Json.object())));
		return document;
	}

	private @Nullable ObjectNode group(String group) {
		return (this.types.groups().contains(group))
				? describe(group, Json.object().put("kind", "APIGroup").put("apiVersion", "v1")) : null;
	}

	private ObjectNode describe(String group, ObjectNode document) {
		document.put("name", group);
		List<String> versions = this.types.versions(group);
		ArrayNode all = document.putArray("versions");
		versions.forEach((version) -> describe(group, version, all.addObject()));
		describe(group, versions.get(0), document.putObject("preferredVersion"));
		return document;
	}

	private static void describe(String group, String version, ObjectNode document) {
		document.put("groupVersion", group + "/" + version).put("version", version);
	}

	private @Nullable ObjectNode resources(String group, String version) {
		List<ResourceDefinition> definitions = this.types.in(group, version);
		if (definitions.isEmpty()) {
			return null;
		}
		ObjectNode document = Json.object()
			.put("kind", "APIResourceList")
			.put("apiVersion", "v1")
			.put("groupVersion", definitions.get(0).groupVersion());
		ArrayNode resources = document.putArray("resources");
		definitions.forEach((definition) -> describe(definition, resources.addObject()));
		return document;
	}

	private static void describe(ResourceDefinition definition, ObjectNode document) {
		document.put("name", definition.plural())
			.put("singularName", definition.kind().toLowerCase(Locale.ROOT))
			.put("namespaced", definition.namespaced())
			.put("kind", definition.kind());
		ArrayNode verbs = document.putArray("verbs");
		VERBS.forEach(verbs::add);
		String shortName = SHORT_NAMES.get(definition.plural());
		if (shortName != null) {
			document.putArray("shortNames").add(shortName);
		}
	}

}
