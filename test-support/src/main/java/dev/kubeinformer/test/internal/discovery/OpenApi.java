package dev.kubeinformer.test.internal.discovery;

import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.builtin.PublishedSchemas;
import dev.kubeinformer.test.internal.http.Exchange;
import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.resource.ResourceTypes;
import dev.kubeinformer.test.internal.status.Statuses;

/**
 * Serves a minimal document of OpenAPI version 3. Its paths have the parameter
 * {@code fieldValidation}, so that kubectl leaves validation to the server. Its schemas
 * are for {@code kubectl explain}.
 */
public final class OpenApi {

	private static final String ROOT = "/openapi/v3";

	private final ResourceTypes types;

	public OpenApi(ResourceTypes types) {
		this.types = types;
	}

	public static boolean isAt(String path) {
		return path.startsWith("/openapi/");
	}

	public void answer(Exchange exchange) {
		ObjectNode document = find(exchange.recorded().path());
		if (document == null) {
			throw Statuses.unknownPath();
		}
		exchange.json(200, document);
	}

	private @Nullable ObjectNode find(String path) {
		if (ROOT.equals(path)) {
			return root();
		}
		String[] segments = path.split("/");
		if (path.startsWith(ROOT + "/api/") && segments.length == 5) {
			return document(this.types.in("", segments[4]));
		}
		if (path.startsWith(ROOT + "/apis/") && segments.length == 6) {
			return document(this.types.in(segments[4], segments[5]));
		}
		return null;
	}

	private ObjectNode root() {
		ObjectNode root = Json.object();
		ObjectNode paths = root.putObject("paths");
		this.types.versions("").forEach((version) -> path(paths, "api/" + version));
		for (String group : this.types.groups()) {
			this.types.versions(group).forEach((version) -> path(paths, "apis/" + group + "/" + version));
		}
		return root;
	}

	private static void path(ObjectNode paths, String path) {
		paths.putObject(path).put("serverRelativeURL", ROOT + "/" + path);
	}

	private static @Nullable ObjectNode document(List<ResourceDefinition> definitions) {
		if (definitions.isEmpty()) {
			return null;
		}
		ObjectNode document = Json.object().put("openapi", "3.0.0");
		document.putObject("info").put("title", "Kubernetes").put("version", "v1.37.0-embedded");
		ObjectNode paths = document.putObject("paths");
		ObjectNode schemas = document.putObject("components").putObject("schemas");
		PublishedSchemas.write(definitions, schemas);
		definitions.forEach((type) -> {
			describe(type, paths);
			CustomDocuments.describe(type, paths, schemas);
		});
		return document;
	}

	private static void describe(ResourceDefinition type, ObjectNode paths) {
		String prefix = (type.group().isEmpty()) ? "/api/" : "/apis/";
		String path = prefix + type.groupVersion() + ((type.namespaced()) ? "/namespaces/{namespace}/" : "/")
				+ type.plural() + "/{name}";
		ObjectNode patch = paths.putObject(path).putObject("patch");
		patch.putArray("parameters").addObject().put("name", "fieldValidation").put("in", "query");
		patch.putObject("responses");
		patch.putObject("x-kubernetes-group-version-kind")
			.put("group", type.group())
			.put("version", type.version())
			.put("kind", type.kind());
	}

}
