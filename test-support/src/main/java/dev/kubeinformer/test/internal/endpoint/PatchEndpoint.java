package dev.kubeinformer.test.internal.endpoint;

import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.access.Access;
import dev.kubeinformer.test.internal.http.Bodies;
import dev.kubeinformer.test.internal.http.Exchange;
import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.patch.JsonPatch;
import dev.kubeinformer.test.internal.patch.MergePatch;
import dev.kubeinformer.test.internal.patch.PatchSchema;
import dev.kubeinformer.test.internal.patch.ServerSideApply;
import dev.kubeinformer.test.internal.patch.StrategicMergePatch;
import dev.kubeinformer.test.internal.render.ObjectRenderer;
import dev.kubeinformer.test.internal.resource.ObjectKey;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.resource.StoredSchema;
import dev.kubeinformer.test.internal.resource.Subresources;
import dev.kubeinformer.test.internal.status.Statuses;
import dev.kubeinformer.test.internal.storage.PersistedObject;
import dev.kubeinformer.test.internal.storage.RevisionLog;
import dev.kubeinformer.test.internal.write.Namespaces;
import dev.kubeinformer.test.internal.write.StoredObjects;
import dev.kubeinformer.test.internal.write.Upsert;
import dev.kubeinformer.test.internal.write.WriteOptions;

/**
 * Serves the patch verb with its four kinds of patches.
 */
final class PatchEndpoint {

	static final String JSON_PATCH = "application/json-patch+json";

	static final String MERGE_PATCH = "application/merge-patch+json";

	private static final String STRATEGIC_MERGE_PATCH = "application/strategic-merge-patch+json";

	private static final String APPLY = "application/apply-patch+yaml";

	// Patch types for custom resources.
	private static final List<String> CUSTOM = List.of(JSON_PATCH, MERGE_PATCH, APPLY);

	private static final String METADATA = "metadata";

	private final StoredObjects store;

	private final RevisionLog log;

	private final ObjectRenderer renderer;

	private final Namespaces namespaces;

	private final ServerSideApply applying = new ServerSideApply();

	PatchEndpoint(StoredObjects store, RevisionLog log, ObjectRenderer renderer, Namespaces namespaces) {
		this.store = store;
		this.log = log;
		this.renderer = renderer;
		this.namespaces = namespaces;
	}

	void patch(Exchange exchange, ResourceDefinition type, ObjectKey key) {
		String mediaType = Bodies.mediaType(exchange);
		boolean builtIn = PatchSchema.builtIn().knows(type);
		if (!builtIn && !CUSTOM.contains(mediaType)) {
			throw Statuses.of(415, "the body of the request was in an unknown format - accepted media types include: "
					+ String.join(", ", CUSTOM));
		}
		if (APPLY.equals(mediaType)) {
			apply(exchange, type, key);
			return;
		}
		UnaryOperator<ObjectNode> patch = switch (mediaType) {
			case JSON_PATCH, MERGE_PATCH -> standard(mediaType, Bodies.patch(exchange));
			case STRATEGIC_MERGE_PATCH -> {
				ObjectNode given = object(Bodies.patch(exchange));
				yield (target) -> new StrategicMergePatch(PatchSchema.builtIn()).apply(type, target, given);
			}
			default -> throw Statuses.unsupportedPatch();
		};
		WriteOptions options = WriteOptions.of(exchange.recorded(), "PatchOptions", false, exchange::warn,
				exchange::duplicateFields);
		answer(exchange, 200, type, this.store.patch(type, key, patch, options));
	}

	// Returns the patch function of the patch types that do not depend on the resource.
	static UnaryOperator<ObjectNode> standard(String mediaType, JsonNode patch) {
		return switch (mediaType) {
			case JSON_PATCH -> {
				if (!(patch instanceof ArrayNode operations)) {
					throw Statuses.badRequest("error decoding patch: this is not an array of operations");
				}
				yield (target) -> JsonPatch.apply(target, operations);
			}
			case MERGE_PATCH -> {
				ObjectNode given = object(patch);
				yield (target) -> {
					MergePatch.apply(target, given);
					return target;
				};
			}
			default -> throw Statuses.unsupportedPatch();
		};
	}

	private static ObjectNode object(JsonNode patch) {
		if (patch instanceof ObjectNode object) {
			return object;
		}
		throw Statuses.badRequest("error decoding patch: this is not an object");
	}

	private void apply(Exchange exchange, ResourceDefinition type, ObjectKey key) {
		WriteOptions options = WriteOptions.of(exchange.recorded(), "PatchOptions", true, exchange::warn,
				exchange::duplicateFields);
		ObjectNode configuration = configuration(exchange, type, key, options);
		Runnable update = () -> answer(exchange, 200, type, this.store.patch(type, key,
				(live) -> this.applying.apply(type, live, configuration, options.applier(type), options.force()),
				options));
		if (!options.subresource().isEmpty()) {
			update.run();
			return;
		}
		new Upsert(this.log, type.resource(), key).run(update,
				() -> answer(exchange, 201, type, create(exchange, type, key, configuration, options)));
	}

	private PersistedObject create(Exchange exchange, ResourceDefinition type, ObjectKey key, ObjectNode configuration,
			WriteOptions options) {
		String uid = Json.text(configuration.path(METADATA), "uid");
		if (uid != null) {
			throw Statuses.conflict(type.resource(), key.name(),
					"uid mismatch: the provided object specified uid " + uid + ", and no existing object was found");
		}
		this.namespaces.check(type, key.namespace(), key.name());
		Access.checkCreate(exchange.user(), exchange.recorded());
		ObjectNode body = this.applying.apply(type, null, configuration, options.applier(type), false);
		body.withObject(METADATA).remove("resourceVersion");
		return this.store.create(type, key.namespace(), body, options);
	}

	private ObjectNode configuration(Exchange exchange, ResourceDefinition type, ObjectKey key, WriteOptions options) {
		ObjectNode configuration = Bodies.configuration(exchange);
		dropNulls(type, configuration);
		String apiVersion = configuration.path("apiVersion").asString("");
		String kind = configuration.path("kind").asString("");
		if (!apiVersion.equals(type.groupVersion()) || !kind.equals(type.kind())) {
			throw Statuses.badRequest(
					"invalid object type: " + ((apiVersion.contains("/")) ? "" : "/") + apiVersion + ", Kind=" + kind);
		}
		ObjectNode metadata = configuration.withObject(METADATA);
		if (metadata.has("managedFields")) {
			throw Statuses.badRequest("metadata.managedFields must be nil");
		}
		if (!metadata.has("name")) {
			metadata.put("name", key.name());
		}
		StoredObjects.checkIdentity(type, key, configuration);
		this.store.checkConfiguration(type, configuration, options);
		checkTypes(type, configuration);
		if (Subresources.STATUS.equals(options.subresource())) {
			metadata.retain("name", "namespace", "resourceVersion", "uid");
			configuration.retain(Set.of("apiVersion", "kind", METADATA, Subresources.STATUS));
		}
		else if (Subresources.hasStatus(type)) {
			configuration.remove(Subresources.STATUS);
		}
		return configuration;
	}

	// Drops null fields, except in custom resources, where a null field counts as set.
	private static void dropNulls(ResourceDefinition type, ObjectNode configuration) {
		StoredSchema schema = type.traits().schema();
		if (schema == null || schema.served().isOpen()) {
			Json.dropNulls(configuration);
		}
		else {
			Json.dropNulls(configuration.path(METADATA));
		}
	}

	private static void checkTypes(ResourceDefinition type, ObjectNode configuration) {
		StoredSchema schema = type.traits().schema();
		List<String> errors = (schema != null) ? schema.served().typeErrors(configuration) : List.of();
		if (!errors.isEmpty()) {
			JsonNode metadata = configuration.path(METADATA);
			String all = (errors.size() == 1) ? errors.get(0) : "errors:\n  " + String.join("\n  ", errors);
			throw Statuses.unexpected("failed to create typed patch object (" + metadata.path("namespace").asString("")
					+ "/" + metadata.path("name").asString("") + "; " + type.groupVersion() + ", Kind=" + type.kind()
					+ "): " + all);
		}
	}

	private void answer(Exchange exchange, int status, ResourceDefinition type, PersistedObject object) {
		exchange.send(status, Exchange.JSON,
				this.renderer.in(exchange.representation(), exchange.query()).object(type, object));
	}

}
