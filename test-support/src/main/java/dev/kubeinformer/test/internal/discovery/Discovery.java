package dev.kubeinformer.test.internal.discovery;

import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.resource.ResourceTraits;
import dev.kubeinformer.test.internal.resource.ResourceTypes;
import dev.kubeinformer.test.internal.resource.Subresources;

/**
 * Discovery documents: version, groups and resources of the server.
 */
public final class Discovery {

	static final List<String> SUBRESOURCE_VERBS = List.of("get", "patch", "update");

	private final ResourceTypes types;

	public Discovery(ResourceTypes types) {
		this.types = types;
	}

	/**
	 * Returns the document at a path.
	 * @param path the path
	 * @param host the host and port of the server
	 * @return the document, or {@code null} if there is none at this path
	 */
	public @Nullable ObjectNode find(String path, String host) {
		String[] segments = path.split("/");
		String first = (segments.length > 1) ? segments[1] : "";
		return switch (first) {
			case "version" -> (segments.length == 2) ? version() : null;
			case "api" -> switch (segments.length) {
				case 2 -> coreVersions(host);
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
			.put("minor", "37")
			.put("emulationMajor", "1")
			.put("emulationMinor", "37")
			.put("minCompatibilityMajor", "1")
			.put("minCompatibilityMinor", "36")
			.put("gitVersion", "v1.37.0-embedded")
			.put("gitCommit", "")
			.put("gitTreeState", "")
			.put("buildDate", "1970-01-01T00:00:00Z")
			.put("goVersion", "")
			.put("compiler", "")
			.put("platform", "");
	}

	private ObjectNode coreVersions(String host) {
		ObjectNode document = Json.object().put("kind", "APIVersions");
		strings(document.putArray("versions"), this.types.versions(""));
		document.putArray("serverAddressByClientCIDRs")
			.addObject()
			.put("clientCIDR", "0.0.0.0/0")
			.put("serverAddress", host);
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
		definitions.forEach((definition) -> describe(definition, resources));
		return document;
	}

	private static void describe(ResourceDefinition definition, ArrayNode resources) {
		ObjectNode resource = describe(definition, definition.plural(), definition.traits().singular(), resources);
		strings(resource.putArray("verbs"), definition.verbs());
		names(resource, definition.traits());
		if (Subresources.hasScale(definition)) {
			ObjectNode scale = resources.addObject()
				.put("name", definition.plural() + "/scale")
				.put("singularName", "")
				.put("namespaced", definition.namespaced())
				.put("group", "autoscaling")
				.put("version", "v1")
				.put("kind", "Scale");
			strings(scale.putArray("verbs"), SUBRESOURCE_VERBS);
		}
		if (definition.hasStatus()) {
			ObjectNode status = describe(definition, definition.plural() + "/status", "", resources);
			strings(status.putArray("verbs"), SUBRESOURCE_VERBS);
		}
	}

	private static ObjectNode describe(ResourceDefinition definition, String name, String singular,
			ArrayNode resources) {
		return resources.addObject()
			.put("name", name)
			.put("singularName", singular)
			.put("namespaced", definition.namespaced())
			.put("kind", definition.kind());
	}

	static void names(ObjectNode resource, ResourceTraits traits) {
		if (!traits.shortNames().isEmpty()) {
			strings(resource.putArray("shortNames"), traits.shortNames());
		}
		if (!traits.categories().isEmpty()) {
			strings(resource.putArray("categories"), traits.categories());
		}
	}

	static void strings(ArrayNode array, List<String> values) {
		values.forEach(array::add);
	}

}
