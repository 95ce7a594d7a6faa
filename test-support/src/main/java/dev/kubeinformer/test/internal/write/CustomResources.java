package dev.kubeinformer.test.internal.write;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.resource.GroupResource;
import dev.kubeinformer.test.internal.resource.ObjectKey;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.resource.ResourceTraits;
import dev.kubeinformer.test.internal.resource.ResourceTypes;
import dev.kubeinformer.test.internal.resource.StoredSchema;
import dev.kubeinformer.test.internal.schema.CustomSchema;
import dev.kubeinformer.test.internal.schema.RuleEngine;
import dev.kubeinformer.test.internal.schema.ScalePaths;
import dev.kubeinformer.test.internal.status.RequestFailure;
import dev.kubeinformer.test.internal.status.Statuses;
import dev.kubeinformer.test.internal.storage.PersistedObject;
import dev.kubeinformer.test.internal.storage.RevisionLog;
import dev.kubeinformer.test.internal.table.PrinterColumns;

/**
 * Serves the resources of the stored CustomResourceDefinitions. After each write of a
 * definition, the definition is read again before the write returns.
 */
public final class CustomResources {

	private static final Logger logger = LoggerFactory.getLogger(CustomResources.class);

	private static final JsonPointer STORED_VERSIONS = JsonPointer.compile("/status/storedVersions");

	private static final String ESTABLISHED = "Established";

	private static final Set<String> VALUES = Set.of("default", "example", "enum");

	private final RevisionLog log;

	private final ResourceTypes types;

	private final Consumer<GroupResource> endWatches;

	private final RuleEngine rules;

	private Map<String, Served> served = Map.of();

	private CustomResources(RevisionLog log, ResourceTypes types, Consumer<GroupResource> endWatches,
			RuleEngine rules) {
		this.log = log;
		this.types = types;
		this.endWatches = endWatches;
		this.rules = rules;
	}

	/**
	 * Begins to follow the writes of definitions.
	 * @param log the storage
	 * @param types the resources that are served
	 * @param endWatches ends the watches of a resource
	 * @param rules evaluates the rules of schemas
	 */
	public static void follow(RevisionLog log, ResourceTypes types, Consumer<GroupResource> endWatches,
			RuleEngine rules) {
		CustomResources resources = new CustomResources(log, types, endWatches, rules);
		log.addListener(ResourceTypes.DEFINITIONS, resources::refresh);
	}

	private synchronized void refresh() {
		Map<String, Served> now = new LinkedHashMap<>();
		for (PersistedObject definition : this.log.list(ResourceTypes.DEFINITIONS, "").objects()) {
			Served resource = served(definition);
			now.put(definition.key().name(), resource);
		}
		Map<String, Served> before = this.served;
		if (now.equals(before)) {
			return;
		}
		this.served = now;
		this.types.serve(now.values().stream().flatMap((resource) -> resource.definitions().stream()).toList());
		before.forEach((name, resource) -> {
			Served next = now.get(name);
			if (next == null || !next.uid().equals(resource.uid())) {
				deleteObjects(resource.resource());
			}
			if (!resource.equals(next)) {
				this.endWatches.accept(resource.resource());
			}
		});
		now.keySet().forEach(this::establish);
	}

	// An unchanged definition keeps its compiled schemas.
	private Served served(PersistedObject definition) {
		@Nullable Served before = this.served.get(definition.key().name());
		Served now = Served.of(definition, this.log.revision(), this.rules);
		return (before != null && now.equals(before)) ? before : now;
	}

	private void deleteObjects(GroupResource resource) {
		this.log.list(resource, "").objects().forEach((object) -> this.log.delete(resource, object.key()));
	}

	// Fills in the fields that kube-apiserver and its controllers set.
	private void establish(String name) {
		ObjectKey key = new ObjectKey("", name);
		PersistedObject stored = this.log.get(ResourceTypes.DEFINITIONS, key);
		if (stored == null || isEstablished(stored.tree())) {
			return;
		}
		try {
			this.log.write(ResourceTypes.DEFINITIONS, key, CustomResources::established);
		}
		catch (RequestFailure ex) {
			// The definition was deleted in the meantime; its deletion handles the rest.
			logger.debug("Definition '{}' is gone before it is established", name, ex);
		}
	}

	private static PersistedObject established(@Nullable PersistedObject current, long revision) {
		if (current == null) {
			throw Statuses.notFound(ResourceTypes.DEFINITIONS, "");
		}
		ObjectNode tree = current.tree();
		complete(tree);
		return PersistedObject.of(ResourceTypes.DEFINITIONS, current.key(), tree, revision);
	}

	private static boolean isEstablished(ObjectNode definition) {
		JsonNode accepted = Json.at(definition, "status.acceptedNames");
		for (JsonNode condition : Json.at(definition, "status.conditions")) {
			if (ESTABLISHED.equals(condition.path("type").asString(""))) {
				return accepted.equals(Json.at(definition, "spec.names"));
			}
		}
		return false;
	}

	// Drops null fields. Values in a schema, such as defaults, keep their nulls.
	static void dropNulls(JsonNode node) {
		if (node instanceof ObjectNode object) {
			object.removeIf((value) -> value.isNull());
			object.properties().forEach((field) -> {
				if (!VALUES.contains(field.getKey()) || field.getValue().path("type").isString()) {
					dropNulls(field.getValue());
				}
			});
		}
		else if (node instanceof ArrayNode array) {
			array.forEach(CustomResources::dropNulls);
		}
	}

	/**
	 * Fills in optional fields of a definition's spec.
	 * @param definition the definition as a client sent it
	 */
	static void fillIn(ObjectNode definition) {
		if (!(definition.path("spec") instanceof ObjectNode spec)
				|| !(spec.path("names") instanceof ObjectNode names)) {
			return;
		}
		if (Json.text(names, "singular") == null) {
			names.put("singular", ResourceTraits.plain(names.path("kind").asString("")).singular());
		}
		if (Json.text(names, "listKind") == null) {
			names.put("listKind", names.path("kind").asString("") + "List");
		}
		if (!spec.has("conversion")) {
			spec.putObject("conversion").put("strategy", "None");
		}
	}

	/**
	 * Adds the new storage version to {@code status.storedVersions}. The previous
	 * versions stay listed, because objects of these versions may still exist.
	 * @param definition the definition as a client sent it
	 * @param before its current state
	 */
	static void keepStoredVersions(ObjectNode definition, ObjectNode before) {
		if (before.at(STORED_VERSIONS).isArray()) {
			JsonNode known = (definition.at(STORED_VERSIONS).isArray()) ? definition : before;
			ArrayNode versions = storedVersions(definition, known.at(STORED_VERSIONS));
			definition.withObjectProperty("status").set("storedVersions", versions);
		}
	}

	private static ArrayNode storedVersions(ObjectNode definition, JsonNode known) {
		Set<String> versions = new LinkedHashSet<>();
		known.forEach((version) -> versions.add(version.asString("")));
		definition.path("spec").path("versions").forEach((version) -> {
			if (version.path("storage").asBoolean(false)) {
				versions.add(version.path("name").asString(""));
			}
		});
		ArrayNode stored = definition.arrayNode();
		versions.forEach(stored::add);
		return stored;
	}

	private static void complete(ObjectNode definition) {
		JsonNode spec = definition.path("spec");
		ArrayNode stored = storedVersions(definition, definition.at(STORED_VERSIONS));
		ObjectNode status = definition.putObject("status");
		ArrayNode conditions = status.putArray("conditions");
		condition(conditions, "NamesAccepted", "NoConflicts", "no conflicts found");
		condition(conditions, ESTABLISHED, "InitialNamesAccepted", "the initial names have been accepted");
		status.set("acceptedNames", spec.path("names").deepCopy());
		status.set("storedVersions", stored);
	}

	private static void condition(ArrayNode conditions, String type, String reason, String message) {
		conditions.addObject()
			.put("type", type)
			.put("status", "True")
			.put("lastTransitionTime", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString())
			.put("reason", reason)
			.put("message", message);
	}

	/**
	 * Served resource of a definition.
	 *
	 * @param uid the UID of the definition
	 * @param resource the resource
	 * @param spec the spec of the definition
	 * @param definitions the definitions of the served versions
	 */
	private record Served(String uid, GroupResource resource, JsonNode spec, List<ResourceDefinition> definitions) {

		static Served of(PersistedObject object, long revision, RuleEngine rules) {
			ObjectNode tree = object.tree();
			JsonNode spec = tree.path("spec");
			JsonNode names = spec.path("names");
			GroupResource resource = new GroupResource(spec.path("group").asString(""),
					names.path("plural").asString(""));
			List<ResourceDefinition> definitions = new ArrayList<>();
			Map<String, CustomSchema> schemas = new LinkedHashMap<>();
			String stored = "";
			for (JsonNode version : spec.path("versions")) {
				schemas.put(version.path("name").asString(""), CustomSchema.of(version, rules));
				stored = (version.path("storage").asBoolean(false)) ? version.path("name").asString("") : stored;
			}
			CustomSchema storage = schemas.get(stored);
			spec.path("versions").forEach((version) -> {
				if (version.path("served").asBoolean(false)) {
					CustomSchema own = Objects.requireNonNull(schemas.get(version.path("name").asString("")));
					StoredSchema schema = new StoredSchema(own, (storage != null) ? storage : own, revision);
					definitions.add(definition(resource, spec, version, schema));
				}
			});
			return new Served(Json.at(tree, "metadata.uid").asString(""), resource, spec, List.copyOf(definitions));
		}

		private static ResourceDefinition definition(GroupResource resource, JsonNode spec, JsonNode version,
				StoredSchema schema) {
			JsonNode names = spec.path("names");
			String kind = names.path("kind").asString("");
			ResourceTraits traits = new ResourceTraits(
					Objects.requireNonNullElse(Json.text(names, "singular"), ResourceTraits.plain(kind).singular()),
					texts(names.path("shortNames")), texts(names.path("categories")),
					Json.at(version, "subresources.status").isObject(), true, PrinterColumns.of(version), schema,
					ScalePaths.of(version));
			return new ResourceDefinition(resource, version.path("name").asString(""), kind,
					"Namespaced".equals(spec.path("scope").asString("")), "", traits);
		}

		private static List<String> texts(JsonNode array) {
			List<String> texts = new ArrayList<>();
			array.forEach((text) -> texts.add(text.asString("")));
			return List.copyOf(texts);
		}

		// Definitions contain functions, which are never equal; compare their sources.
		@Override
		public boolean equals(Object other) {
			return other instanceof Served that && this.uid.equals(that.uid) && this.spec.equals(that.spec);
		}

		@Override
		public int hashCode() {
			return this.uid.hashCode();
		}

	}

}
