package dev.kubeinformer.test.internal.discovery;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Response;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.http.Exchange;
import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.resource.ResourceTypes;
import dev.kubeinformer.test.internal.resource.Subresources;

/**
 * Serves all discovery information in one document, which kubectl and client-go request
 * first.
 */
public final class AggregatedDiscovery {

	static final String CONTENT_TYPE = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

	private final ResourceTypes types;

	public AggregatedDiscovery(ResourceTypes types) {
		this.types = types;
	}

	/**
	 * Returns whether a path has an aggregated document.
	 * @param path the path
	 * @return {@code true} for the path of the core group or of all other groups
	 */
	public static boolean isAt(String path) {
		return switch (path) {
			case "/api", "/api/", "/apis", "/apis/" -> true;
			default -> false;
		};
	}

	public void answer(Exchange exchange) {
		boolean core = !exchange.recorded().path().startsWith("/apis");
		byte[] document = Json.write(document((core) ? List.of("") : this.types.groups()));
		String tag = "\"" + hash(document) + "\"";
		boolean known = tag.equals(exchange.header(HttpHeader.IF_NONE_MATCH));
		Response response = exchange.begin((known) ? 304 : 200, CONTENT_TYPE);
		response.getHeaders().put(HttpHeader.CACHE_CONTROL, "public");
		response.getHeaders().put(HttpHeader.ETAG, tag);
		response.getHeaders().put(HttpHeader.VARY, "Accept");
		exchange.end((known) ? new byte[0] : document);
	}

	private ObjectNode document(List<String> groups) {
		ObjectNode document = Json.object()
			.put("kind", "APIGroupDiscoveryList")
			.put("apiVersion", "apidiscovery.k8s.io/v2");
		document.putObject("metadata");
		ArrayNode items = document.putArray("items");
		groups.forEach((group) -> describe(group, items.addObject()));
		return document;
	}

	private void describe(String group, ObjectNode item) {
		ObjectNode metadata = item.putObject("metadata");
		if (!group.isEmpty()) {
			metadata.put("name", group);
		}
		ArrayNode versions = item.putArray("versions");
		for (String version : this.types.versions(group)) {
			ObjectNode document = versions.addObject().put("version", version);
			ArrayNode resources = document.putArray("resources");
			this.types.in(group, version).forEach((definition) -> describe(definition, resources.addObject()));
			document.put("freshness", "Current");
		}
	}

	private static void describe(ResourceDefinition definition, ObjectNode resource) {
		resource.put("resource", definition.plural());
		kind(definition, resource);
		resource.put("scope", (definition.namespaced()) ? "Namespaced" : "Cluster")
			.put("singularResource", definition.traits().singular());
		Discovery.strings(resource.putArray("verbs"), definition.verbs());
		Discovery.names(resource, definition.traits());
		if (Subresources.hasScale(definition)) {
			ObjectNode scale = subresource("scale", resource);
			kind("autoscaling", "v1", "Scale", scale);
			Discovery.strings(scale.putArray("verbs"), Discovery.SUBRESOURCE_VERBS);
		}
		if (definition.hasStatus()) {
			ObjectNode status = subresource("status", resource);
			kind(definition, status);
			Discovery.strings(status.putArray("verbs"), Discovery.SUBRESOURCE_VERBS);
		}
	}

	private static ObjectNode subresource(String name, ObjectNode resource) {
		return resource.withArray("subresources").addObject().put("subresource", name);
	}

	// Built-in kinds are listed without their group, which equals the group of the
	// resource.
	private static void kind(ResourceDefinition definition, ObjectNode document) {
		boolean custom = definition.isCustom();
		kind((custom) ? definition.group() : "", (custom) ? definition.version() : "", definition.kind(), document);
	}

	private static void kind(String group, String version, String kind, ObjectNode document) {
		document.putObject("responseKind").put("group", group).put("version", version).put("kind", kind);
	}

	private static String hash(byte[] document) {
		try {
			byte[] hash = MessageDigest.getInstance("SHA-512").digest(document);
			return HexFormat.of().formatHex(hash).toUpperCase(Locale.ROOT);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
