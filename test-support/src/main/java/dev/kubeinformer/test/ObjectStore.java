package dev.kubeinformer.test;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The rules of writing objects: what the server fills in, keeps and refuses.
 */
final class ObjectStore {

	private static final String SUFFIX_LETTERS = "bcdfghjklmnpqrstvwxz2456789";

	private final RevisionLog log;

	ObjectStore(RevisionLog log) {
		this.log = log;
	}

	StoredObject get(ResourceDefinition type, ObjectKey key) {
		StoredObject object = this.log.get(type.resource(), key);
		if (object == null) {
			throw Statuses.notFound(type.resource(), key.name());
		}
		return object;
	}

	/**
	 * Create an object.
	 * @param type what it is
	 * @param namespace its namespace, empty for an object of the cluster
	 * @param body the object, which this method may change
	 * @return the stored object
	 */
	StoredObject create(ResourceDefinition type, String namespace, ObjectNode body) {
		checkType(type, body);
		ObjectNode metadata = body.withObject("metadata");
		checkNamespace(namespace, metadata);
		if (Json.text(metadata, "resourceVersion") != null) {
			throw Statuses.unexpected("resourceVersion should not be set on objects to be created");
		}
		String name = name(type, metadata);
		metadata.put("name", name);
		if (!namespace.isEmpty()) {
			metadata.put("namespace", namespace);
		}
		metadata.put("uid", UUID.randomUUID().toString());
		metadata.put("creationTimestamp", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
		if (type.hasGeneration()) {
			metadata.put("generation", 1);
		}
		ObjectKey key = new ObjectKey(namespace, name);
		return this.log.write(type.resource(), key, (current, revision) -> {
			if (current != null) {
				throw Statuses.alreadyExists(type.resource(), name);
			}
			return StoredObject.of(type.resource(), key, body, revision);
		});
	}

	private static String name(ResourceDefinition type, ObjectNode metadata) {
		String name = Json.text(metadata, "name");
		if (name != null) {
			return name;
		}
		String prefix = Json.text(metadata, "generateName");
		if (prefix == null) {
			throw Statuses.invalid(type, "metadata.name", "FieldValueRequired",
					"Required value: name or generateName is required");
		}
		StringBuilder generated = new StringBuilder(prefix);
		for (int i = 0; i < 5; i++) {
			generated.append(SUFFIX_LETTERS.charAt(ThreadLocalRandom.current().nextInt(SUFFIX_LETTERS.length())));
		}
		return generated.toString();
	}

	/**
	 * Replace an object.
	 * @param type what it is
	 * @param key which one
	 * @param body the new state, which this method may change
	 * @param subresource the only part to replace, or {@code null} for all
	 * @return the stored object, the current one if nothing changes
	 */
	StoredObject update(ResourceDefinition type, ObjectKey key, ObjectNode body, @Nullable String subresource) {
		checkType(type, body);
		ObjectNode metadata = body.withObject("metadata");
		checkNamespace(key.namespace(), metadata);
		String name = Json.text(metadata, "name");
		if (!key.name().equals(name)) {
			throw Statuses.badRequest("the name of the object (" + ((name != null) ? name : "")
					+ ") does not match the name on the URL (" + key.name() + ")");
		}
		return this.log.write(type.resource(), key, (current, revision) -> {
			StoredObject stored = existing(type, key, current);
			return replace(type, stored, next(stored, body, subresource), revision);
		});
	}

	/**
	 * Apply a JSON merge patch.
	 * @param type what it is
	 * @param key which object
	 * @param patch the patch
	 * @param subresource the only part to patch, or {@code null} for all
	 * @return the stored object, the current one if nothing changes
	 */
	StoredObject patch(ResourceDefinition type, ObjectKey key, ObjectNode patch, @Nullable String subresource) {
		return this.log.write(type.resource(), key, (current, revision) -> {
			StoredObject stored = existing(type, key, current);
			ObjectNode patched = stored.tree();
			MergePatch.apply(patched, patch);
			return replace(type, stored, next(stored, patched, subresource), revision);
		});
	}

	private static ObjectNode next(StoredObject stored, ObjectNode body, @Nullable String subresource) {
		if (!"status".equals(subresource)) {
			return body;
		}
		ObjectNode next = stored.tree();
		String resourceVersion = Json.text(body.path("metadata"), "resourceVersion");
		next.withObject("metadata").put("resourceVersion", resourceVersion);
		next.remove("status");
		if (body.has("status")) {
			next.set("status", body.get("status"));
		}
		return next;
	}

	private static StoredObject replace(ResourceDefinition type, StoredObject stored, ObjectNode next, long revision) {
		String name = stored.key().name();
		ObjectNode before = stored.tree();
		ObjectNode metadata = next.withObject("metadata");
		String resourceVersion = Json.text(metadata, "resourceVersion");
		if (resourceVersion != null && !resourceVersion.equals(Long.toString(stored.revision()))) {
			throw Statuses.modified(type.resource(), name);
		}
		String uid = before.path("metadata").path("uid").asString();
		String givenUid = Json.text(metadata, "uid");
		if (givenUid != null && !givenUid.equals(uid)) {
			throw Statuses.conflict(type.resource(), name,
					"Precondition failed: UID in precondition: " + givenUid + ", UID in object meta: " + uid);
		}
		next.remove("kind");
		next.remove("apiVersion");
		keep(before.withObject("metadata"), metadata, "namespace", "uid", "creationTimestamp", "generateName",
				"generation", "resourceVersion", "deletionTimestamp", "deletionGracePeriodSeconds");
		if (next.equals(before)) {
			return stored;
		}
		if (type.hasGeneration() && !desired(next).equals(desired(before))) {
			metadata.put("generation", before.path("metadata").path("generation").asLong() + 1);
		}
		return StoredObject.of(type.resource(), stored.key(), next, revision);
	}

	// What the generation counts the changes of.
	private static JsonNode desired(ObjectNode object) {
		return object.deepCopy().remove(List.of("metadata", "status"));
	}

	private static void keep(ObjectNode before, ObjectNode metadata, String... fields) {
		for (String field : fields) {
			metadata.remove(field);
			if (before.has(field)) {
				metadata.set(field, before.get(field));
			}
		}
	}

	/**
	 * Delete an object at once.
	 * @param type what it is
	 * @param key which one
	 * @return its last state with the revision of the delete
	 */
	StoredObject delete(ResourceDefinition type, ObjectKey key) {
		return existing(type, key, this.log.delete(type.resource(), key));
	}

	private static StoredObject existing(ResourceDefinition type, ObjectKey key, @Nullable StoredObject object) {
		if (object == null) {
			throw Statuses.notFound(type.resource(), key.name());
		}
		return object;
	}

	private static void checkType(ResourceDefinition type, ObjectNode body) {
		String kind = Json.text(body, "kind");
		String apiVersion = Json.text(body, "apiVersion");
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
