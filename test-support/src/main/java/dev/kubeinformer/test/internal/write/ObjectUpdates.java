package dev.kubeinformer.test.internal.write;

import java.util.List;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.builtin.BuiltInRules;
import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.patch.ServerSideApply;
import dev.kubeinformer.test.internal.resource.ObjectKey;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.resource.ResourceTypes;
import dev.kubeinformer.test.internal.resource.Subresources;
import dev.kubeinformer.test.internal.schema.RuleEngine;
import dev.kubeinformer.test.internal.status.Rejection;
import dev.kubeinformer.test.internal.status.Statuses;
import dev.kubeinformer.test.internal.storage.PersistedObject;
import dev.kubeinformer.test.internal.storage.Step;

/**
 * Applies updates and patches to objects.
 */
public final class ObjectUpdates {

	private static final String SPEC = "spec";

	private static final String RESOURCE_VERSION = "resourceVersion";

	private final ServerSideApply managers = new ServerSideApply();

	private final BuiltInObjects builtIns;

	private final RuleEngine rules;

	ObjectUpdates(BuiltInObjects builtIns, RuleEngine rules) {
		this.builtIns = builtIns;
		this.rules = rules;
	}

	/**
	 * Replaces an object.
	 * @param type its resource
	 * @param stored its current state
	 * @param body its next state as a client sent it, which this method may modify
	 * @param options the options of the write
	 * @param revision the revision of the next state
	 * @return the step: the object does not change if the next state is equal; it is
	 * removed if it is being deleted and has no finalizer left
	 */
	Step update(ResourceDefinition type, PersistedObject stored, ObjectNode body, WriteOptions options, long revision) {
		ObjectNode before = stored.tree(type);
		boolean checked = this.builtIns.covers(type, options);
		boolean specified = before.has(SPEC) || body.has(SPEC);
		this.builtIns.fillIn(type, before, options);
		ObjectNode was = before.withObject("metadata");
		ObjectNode next = next(type, before, body, options);
		if (ResourceTypes.DEFINITIONS.equals(type.resource())) {
			complete(next, before);
			if (options.overHttp()) {
				CustomObjects.checkDefinition(type, next, before, this.rules, options.fields());
			}
		}
		LeaseRules.normalize(type, next);
		ObjectNode metadata = next.withObject("metadata");
		checkVersion(type, stored, metadata);
		checkUid(type, stored.key(), was.path("uid").asString(), metadata);
		next.remove("kind");
		next.remove("apiVersion");
		keep(was, metadata, "namespace", "uid", "creationTimestamp", "generateName", "generation", RESOURCE_VERSION,
				PendingFinalizers.DELETION_TIMESTAMP, PendingFinalizers.GRACE_PERIOD);
		Creation.dropEmpty(metadata);
		if (checked) {
			this.builtIns.fillIn(type, next, options);
			this.builtIns.keep(type, before, next);
		}
		// If a test has stored the object without a spec, do not add one: models that
		// require some fields of a spec could not read it.
		if (checked && !specified) {
			before.remove(SPEC);
			next.remove(SPEC);
		}
		if (options.overHttp() && !options.apply()) {
			this.managers.update(type, before, next, options.updater(type), options.named());
		}
		PendingFinalizers.check(type, was, metadata);
		if (type.isCustom()) {
			CustomObjects.check(type, next, before, options, labels(before, next, options));
		}
		if (next.equals(before) && stored.tree().equals(stored.tree(type))) {
			return Step.keep(stored);
		}
		if (checked) {
			this.builtIns.checkUpdate(type, before, next, options);
		}
		else if (options.overHttp() && !PendingFinalizers.of(metadata).equals(PendingFinalizers.of(was))) {
			Names.check(type, metadata, options.fields());
		}
		if (options.overHttp()) {
			if (!checked) {
				OwnerRules.check(type, metadata);
				LeaseRules.check(type, next);
			}
			EventRules.checkUpdate(type, before, next);
		}
		if (type.countsChanges() && !isStatus(options) && !desired(type, next).equals(desired(type, before))) {
			metadata.put("generation", was.path("generation").asLong() + 1);
		}
		if (PendingFinalizers.isEnd(was, metadata, Namespaces.isNamespace(type))) {
			return Step.remove(PersistedObject.of(type.resource(), stored.key(), next, stored.revision()));
		}
		return Step.put(PersistedObject.of(type.resource(), stored.key(), next, revision));
	}

	// Ignores unchanged labels of a fixture, which may have labels that no client could
	// write.
	private static List<Rejection> labels(ObjectNode before, ObjectNode next, WriteOptions options) {
		if (!options.overHttp()) {
			return List.of();
		}
		List<Rejection> rejections = BuiltInRules.labels(next);
		if (!rejections.isEmpty()) {
			rejections.removeAll(BuiltInRules.labels(before));
		}
		return rejections;
	}

	private static ObjectNode next(ResourceDefinition type, ObjectNode before, ObjectNode body, WriteOptions options) {
		if (isStatus(options)) {
			return withStatus(type, before, body);
		}
		if (options.overHttp() && options.subresource().isEmpty() && Subresources.hasStatus(type)) {
			copy(before, body, Subresources.STATUS);
		}
		if (options.overHttp() && Namespaces.isNamespace(type)) {
			copy(before, body, "spec");
			Creation.label(body);
		}
		return body;
	}

	private static boolean isStatus(WriteOptions options) {
		return Subresources.STATUS.equals(options.subresource());
	}

	private static ObjectNode withStatus(ResourceDefinition type, ObjectNode before, ObjectNode body) {
		ObjectNode next = before.deepCopy();
		JsonNode given = body.path("metadata");
		if (Subresources.isMetadataWrittenWithStatus(type)) {
			copy(body, next, "metadata");
			if ("deployments".equals(type.plural())) {
				copy(before.path("metadata"), next.withObject("metadata"), "labels");
			}
		}
		else {
			for (String field : List.of(RESOURCE_VERSION, "uid", "managedFields")) {
				copy(given, next.withObject("metadata"), field);
			}
		}
		copy(body, next, Subresources.STATUS);
		return next;
	}

	// Completes an update of a definition. If it has no status and does not change the
	// spec, it keeps the stored status. Otherwise, the missing status would count as a
	// change.
	private static void complete(ObjectNode definition, ObjectNode before) {
		CustomResources.fillIn(definition);
		if (!definition.has(Subresources.STATUS) && definition.path("spec").equals(before.path("spec"))) {
			copy(before, definition, Subresources.STATUS);
		}
		CustomResources.keepStoredVersions(definition, before);
	}

	private static void copy(JsonNode from, ObjectNode to, String field) {
		to.remove(field);
		if (from.has(field)) {
			to.set(field, from.get(field));
		}
	}

	private static void checkVersion(ResourceDefinition type, PersistedObject stored, ObjectNode metadata) {
		String given = Json.text(metadata, RESOURCE_VERSION);
		if (given == null || "0".equals(given)) {
			return;
		}
		if (!given.chars().allMatch(Character::isDigit)) {
			throw Statuses.unexpected("strconv.ParseUint: parsing \"" + given + "\": invalid syntax");
		}
		if (!given.equals(Long.toString(stored.revision()))) {
			throw Statuses.modified(type.resource(), stored.key().name());
		}
	}

	public static void checkUid(ResourceDefinition type, ObjectKey key, String uid, ObjectNode next) {
		String given = Json.text(next, "uid");
		if (given != null && !given.equals(uid)) {
			String path = (type.isCustom()) ? type.group() + "/" + type.plural() : type.plural();
			throw Statuses.conflict(type.resource(), key.name(),
					"StorageError: invalid object, Code: 4, Key: /registry/" + path + "/" + key.path()
							+ ", ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: "
							+ given + ", UID in object meta: " + uid);
		}
	}

	// Returns the fields whose changes increase the generation. Without the subresource,
	// the status of a custom resource is such a field.
	private static ObjectNode desired(ResourceDefinition type, ObjectNode object) {
		boolean plain = type.isCustom() && !type.hasStatus();
		ObjectNode desired = object.deepCopy()
			.remove((plain) ? List.of("metadata") : List.of("metadata", Subresources.STATUS));
		String counted = switch (type.resource().toString()) {
			case "deployments.apps" -> "annotations";
			case "endpointslices.discovery.k8s.io" -> "labels";
			default -> "";
		};
		copy(object.path("metadata"), desired.putObject("metadata"), counted);
		return desired;
	}

	private static void keep(ObjectNode before, ObjectNode metadata, String... fields) {
		for (String field : fields) {
			copy(before, metadata, field);
		}
	}

}
