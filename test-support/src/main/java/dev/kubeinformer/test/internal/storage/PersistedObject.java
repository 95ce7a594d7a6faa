package dev.kubeinformer.test.internal.storage;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.resource.GroupResource;
import dev.kubeinformer.test.internal.resource.ObjectKey;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.resource.SelectableFields;
import dev.kubeinformer.test.internal.resource.StoredSchema;

/**
 * State of an object at a revision: its serialized form, and the values that selectors
 * compare.
 * <p>
 * The bytes are created once and served to all readers. They contain neither {@code kind}
 * nor {@code apiVersion}: these depend on the API version in the path of the request, and
 * are omitted in items of a list.
 */
public final class PersistedObject {

	private final ObjectKey key;

	private final long revision;

	private final Map<String, String> labels;

	private final Map<String, String> fields;

	private final byte[] json;

	// UID; read from the bytes when a shard needs it for the first time.
	private volatile @Nullable String uid;

	private PersistedObject(ObjectKey key, long revision, Map<String, String> labels, Map<String, String> fields,
			byte[] json) {
		this.key = key;
		this.revision = revision;
		this.labels = labels;
		this.fields = fields;
		this.json = json;
	}

	/**
	 * Creates the state of an object at a revision.
	 * @param resource its resource
	 * @param key its namespace and name
	 * @param tree the object; its resourceVersion is set by this method
	 * @param revision the revision, 0 for an object that will not be stored
	 * @return the stored object
	 */
	public static PersistedObject of(GroupResource resource, ObjectKey key, ObjectNode tree, long revision) {
		ObjectNode ordered = Json.object();
		ObjectNode metadata = tree.withObject("metadata");
		if (revision > 0) {
			metadata.put("resourceVersion", Long.toString(revision));
		}
		ordered.set("metadata", metadata);
		tree.properties()
			.stream()
			.filter((property) -> !"kind".equals(property.getKey()) && !"apiVersion".equals(property.getKey()))
			.forEach((property) -> ordered.set(property.getKey(), property.getValue()));
		return new PersistedObject(key, revision, texts(metadata.path("labels")),
				SelectableFields.of(resource).read(ordered), Json.write(ordered));
	}

	// Creates the state of an object from its JSON, and reads the values that selectors
	// compare.
	public static PersistedObject written(ObjectKey key, long revision, Map<String, String> labels,
			Map<String, String> fields, String json) {
		return new PersistedObject(key, revision, labels, fields, json.getBytes(StandardCharsets.UTF_8));
	}

	// Returns this state with a later revision, as in the events of a delete.
	public PersistedObject at(long later) {
		ObjectNode tree = tree();
		tree.withObject("metadata").put("resourceVersion", Long.toString(later));
		return new PersistedObject(this.key, later, this.labels, this.fields, Json.write(tree));
	}

	private static Map<String, String> texts(JsonNode node) {
		Map<String, String> texts = new LinkedHashMap<>();
		node.properties().forEach((property) -> texts.put(property.getKey(), property.getValue().asString()));
		return Map.copyOf(texts);
	}

	public ObjectKey key() {
		return this.key;
	}

	public long revision() {
		return this.revision;
	}

	public Map<String, String> labels() {
		return this.labels;
	}

	// Returns the UID; empty if there is none.
	public String uid() {
		String known = this.uid;
		if (known == null) {
			known = tree().path("metadata").path("uid").asString("");
			this.uid = known;
		}
		return known;
	}

	// Returns the value of a field for selectors; empty if the field is absent, as in
	// Kubernetes.
	public String field(String path) {
		return switch (path) {
			case "metadata.name" -> this.key.name();
			case "metadata.namespace" -> this.key.namespace();
			default -> this.fields.getOrDefault(path, "");
		};
	}

	// Returns the shared bytes, which must not be modified.
	public byte[] json() {
		return this.json;
	}

	/**
	 * Returns the bytes for readers of a version.
	 * @param type the resource in that version
	 * @return shared bytes, which must not be modified
	 */
	public byte[] json(ResourceDefinition type) {
		StoredSchema schema = type.traits().schema();
		return (schema != null && schema.converts(this.revision)) ? Json.write(tree(type)) : this.json;
	}

	/**
	 * Returns the object for readers of a version.
	 * @param type the resource in that version
	 * @return a new tree, which the caller may modify
	 */
	public ObjectNode tree(ResourceDefinition type) {
		ObjectNode tree = tree();
		StoredSchema schema = type.traits().schema();
		if (schema != null && schema.converts(this.revision)) {
			schema.convert(tree);
		}
		return tree;
	}

	// Returns a new tree, which the caller may modify.
	public ObjectNode tree() {
		return Json.readObject(this.json);
	}

}
