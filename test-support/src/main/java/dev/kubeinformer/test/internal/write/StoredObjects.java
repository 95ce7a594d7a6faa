package dev.kubeinformer.test.internal.write;

import java.util.List;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.builtin.BuiltInRules;
import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.patch.PatchSchema;
import dev.kubeinformer.test.internal.patch.ServerSideApply;
import dev.kubeinformer.test.internal.resource.ObjectKey;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.resource.ResourceTypes;
import dev.kubeinformer.test.internal.schema.RuleEngine;
import dev.kubeinformer.test.internal.status.Rejection;
import dev.kubeinformer.test.internal.status.Statuses;
import dev.kubeinformer.test.internal.storage.PersistedObject;
import dev.kubeinformer.test.internal.storage.RevisionLog;
import dev.kubeinformer.test.internal.storage.Step;

/**
 * Writes objects to the storage by the rules of kube-apiserver: some values are filled
 * in, some are kept from the previous state, and some are rejected.
 */
public final class StoredObjects {

	private final RevisionLog log;

	private final ResourceTypes types;

	private final ObjectUpdates updates;

	private final BuiltInObjects builtIns;

	private final RuleEngine rules;

	private final ServerSideApply managers = new ServerSideApply();

	private final Quantities quantities = new Quantities();

	/**
	 * Creates the rules of writes.
	 * @param log the storage
	 * @param types the resources that are served
	 * @param builtIns the rules of built-in types
	 * @param rules compiles the rules of schemas
	 */
	public StoredObjects(RevisionLog log, ResourceTypes types, BuiltInObjects builtIns, RuleEngine rules) {
		this.log = log;
		this.types = types;
		this.builtIns = builtIns;
		this.rules = rules;
		this.updates = new ObjectUpdates(builtIns, rules);
	}

	public PersistedObject get(ResourceDefinition type, ObjectKey key) {
		return existing(type, key, this.log.get(type.resource(), key));
	}

	/**
	 * Creates an object.
	 * @param type its resource
	 * @param namespace its namespace, empty for a cluster-scoped object
	 * @param body the object, which this method may modify
	 * @return the stored object
	 */
	public PersistedObject create(ResourceDefinition type, String namespace, ObjectNode body) {
		return create(type, namespace, body, WriteOptions.DIRECT);
	}

	public PersistedObject create(ResourceDefinition type, String namespace, ObjectNode body, WriteOptions options) {
		checkType(type, body);
		this.builtIns.decode(type, body, options, null);
		CustomObjects.decode(type, body, options, false);
		dropNulls(type, body);
		boolean checked = this.builtIns.covers(type, options);
		ObjectNode metadata = body.withObject("metadata");
		checkNamespace(namespace, metadata);
		String resourceVersion = Json.text(metadata, "resourceVersion");
		if (resourceVersion != null && !"0".equals(resourceVersion)) {
			throw Statuses.unexpected("resourceVersion should not be set on objects to be created");
		}
		metadata.remove("resourceVersion");
		boolean nameless = !metadata.has("generateName") && Json.text(metadata, "name") == null;
		String name = (checked && nameless) ? "" : Names.of(type, metadata);
		metadata.put("name", name);
		if (!namespace.isEmpty()) {
			metadata.put("namespace", namespace);
		}
		metadata.put("uid", Uids.next());
		metadata.put("creationTimestamp", Timestamps.now());
		if (type.hasGeneration()) {
			metadata.put("generation", 1);
		}
		Creation.dropEmpty(metadata);
		if (!checked && !type.isCustom()) {
			Names.check(type, metadata);
		}
		if (ResourceTypes.DEFINITIONS.equals(type.resource())) {
			CustomResources.fillIn(body);
			CustomObjects.checkDefinition(type, body, null, this.rules, options.fields());
		}
		LeaseRules.normalize(type, body);
		SecretData.normalize(type, body);
		this.quantities.normalize(type, body);
		if (options.overHttp()) {
			if (!checked) {
				OwnerRules.check(type, metadata);
				LeaseRules.check(type, body);
			}
			EventRules.checkCreate(type, body);
			Creation.complete(type, body);
			this.builtIns.fillIn(type, body, options);
			if (options.named() && !options.apply()) {
				this.managers.create(type, body, options.updater(type));
			}
			if (checked) {
				this.builtIns.checkCreate(type, body, options);
			}
		}
		if (type.isCustom()) {
			List<Rejection> found = Names.rejections(type, metadata, options.fields());
			if (options.overHttp()) {
				found.addAll(BuiltInRules.labels(body));
			}
			CustomObjects.check(type, body, null, options, found);
		}
		ObjectKey key = new ObjectKey(namespace, name);
		return this.log.change(type.resource(), key, (current, revision) -> {
			checkServed(type, options);
			if (current != null) {
				throw Statuses.alreadyExists(type.resource(), name);
			}
			return (options.dryRun()) ? Step.keep(PersistedObject.of(type.resource(), key, body, 0))
					: Step.put(PersistedObject.of(type.resource(), key, body, revision));
		});
	}

	/**
	 * Replaces an object.
	 * @param type its resource
	 * @param key its key
	 * @param body the new state, which this method may modify
	 * @param options the options; the status subresource replaces only the status
	 * @return the stored object; the current object if nothing changes
	 */
	public PersistedObject update(ResourceDefinition type, ObjectKey key, ObjectNode body, WriteOptions options) {
		checkIdentity(type, key, body);
		this.builtIns.decode(type, body, options, null);
		dropNulls(type, body);
		return write(type, key, (current) -> {
			CustomObjects.decode(type, body, options, false);
			if (options.overHttp() && type.needsVersionForUpdate()) {
				checkVersionIsGiven(type, key, body);
			}
			return body;
		}, options);
	}

	/**
	 * Patches an object.
	 * @param type its resource
	 * @param key its key
	 * @param patch the function from the current to the next state, both with kind and
	 * apiVersion
	 * @param options the options
	 * @return the stored object; the current object if nothing changes
	 */
	public PersistedObject patch(ResourceDefinition type, ObjectKey key, UnaryOperator<ObjectNode> patch,
			WriteOptions options) {
		return write(type, key, (current) -> {
			String uid = current.path("metadata").path("uid").asString();
			ObjectNode before = (this.builtIns.covers(type, options)) ? current.deepCopy() : current;
			ObjectNode next = patch.apply(current);
			this.builtIns.decode(type, next, options, before);
			CustomObjects.decode(type, next, options, true);
			dropNulls(type, next);
			checkIdentity(type, key, next);
			String given = Json.text(next.path("metadata"), "uid");
			if (given != null && !given.equals(uid)) {
				throw Rejection.of(type, key.name(), Rejection.value("metadata.uid", given, "field is immutable"));
			}
			return next;
		}, options);
	}

	/**
	 * Checks a configuration that is applied.
	 * @param type its resource
	 * @param configuration the configuration
	 * @param options the options of the write
	 */
	public void checkConfiguration(ResourceDefinition type, ObjectNode configuration, WriteOptions options) {
		this.builtIns.checkConfiguration(type, configuration, options);
	}

	// Kubernetes treats null fields as absent, except in custom resources.
	private static void dropNulls(ResourceDefinition type, ObjectNode object) {
		if (ResourceTypes.DEFINITIONS.equals(type.resource())) {
			CustomResources.dropNulls(object);
		}
		else if (PatchSchema.builtIn().knows(type)) {
			Json.dropNulls(object);
		}
	}

	private PersistedObject write(ResourceDefinition type, ObjectKey key, UnaryOperator<ObjectNode> change,
			WriteOptions options) {
		return this.log.change(type.resource(), key, (current, revision) -> {
			checkServed(type, options);
			PersistedObject stored = existing(type, key, current);
			ObjectNode next = change.apply(typed(type, stored));
			SecretData.normalize(type, next);
			this.quantities.normalize(type, next);
			Step step = this.updates.update(type, stored, next, options,
					(options.dryRun()) ? stored.revision() : revision);
			return (options.dryRun()) ? step.dry() : step;
		});
	}

	// The definition may have been deleted since the writer looked it up. Its deletion
	// first stops serving the resource and then deletes the objects, including objects
	// that passed this check before.
	private void checkServed(ResourceDefinition type, WriteOptions options) {
		if (this.types.isServed(type)) {
			return;
		}
		if (options.overHttp()) {
			throw Statuses.unknownPath();
		}
		throw new IllegalStateException(
				"\"" + type.plural() + "\" of \"" + type.groupVersion() + "\" is not served any more");
	}

	// Returns the object as a client sees it.
	static ObjectNode typed(ResourceDefinition type, PersistedObject stored) {
		return stored.tree(type).put("kind", type.kind()).put("apiVersion", type.groupVersion());
	}

	/**
	 * Deletes an object at once.
	 * @param type its resource
	 * @param key its key
	 * @return its last state with the revision of the delete
	 */
	public PersistedObject delete(ResourceDefinition type, ObjectKey key) {
		return existing(type, key, this.log.delete(type.resource(), key));
	}

	static PersistedObject existing(ResourceDefinition type, ObjectKey key, @Nullable PersistedObject object) {
		if (object == null) {
			throw Statuses.notFound(type.resource(), key.name());
		}
		return object;
	}

	public static void checkIdentity(ResourceDefinition type, ObjectKey key, ObjectNode body) {
		checkType(type, body);
		ObjectNode metadata = body.withObject("metadata");
		checkNamespace(key.namespace(), metadata);
		String name = Json.text(metadata, "name");
		if (name == null) {
			throw Statuses.badRequest("the name of the object (" + key.name()
					+ " based on URL) was undeterminable: name must be provided");
		}
		if (!key.name().equals(name)) {
			throw Statuses.badRequest(
					"the name of the object (" + name + ") does not match the name on the URL (" + key.name() + ")");
		}
	}

	private static void checkVersionIsGiven(ResourceDefinition type, ObjectKey key, ObjectNode body) {
		String given = Json.text(body.path("metadata"), "resourceVersion");
		if (given == null || "0".equals(given)) {
			throw Rejection.of(type.group(), type.plural(), key.name(), new Rejection("metadata.resourceVersion",
					"FieldValueInvalid", "Invalid value: 0: must be specified for an update"));
		}
	}

	private static void checkType(ResourceDefinition type, ObjectNode body) {
		String kind = Json.text(body, "kind");
		String apiVersion = Json.text(body, "apiVersion");
		if (type.isCustom() && kind != null && !kind.equals(type.kind())) {
			String name = body.path("metadata").path("name").asString("");
			throw Rejection.of(type.group(), kind, name, new Rejection("kind", "FieldValueInvalid",
					"Invalid value: \"" + kind + "\": must be " + type.kind()));
		}
		if ((kind != null && !kind.equals(type.kind()))
				|| (apiVersion != null && !apiVersion.equals(type.groupVersion()))) {
			throw Statuses.badRequest(((kind != null) ? kind : type.kind()) + " in version \""
					+ ((apiVersion != null) ? apiVersion : type.groupVersion()) + "\" cannot be handled as a "
					+ type.kind());
		}
	}

	private static void checkNamespace(String namespace, ObjectNode metadata) {
		String given = Json.text(metadata, "namespace");
		if (given != null && !given.equals(namespace)) {
			throw Statuses
				.badRequest("the namespace of the provided object does not match the namespace sent on the request");
		}
	}

}
