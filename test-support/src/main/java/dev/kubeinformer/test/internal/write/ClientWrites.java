package dev.kubeinformer.test.internal.write;

import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.resource.ObjectKey;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.storage.PersistedObject;

/**
 * Writes objects without HTTP. The effect is the same as that of a client's POST, PUT or
 * DELETE without query parameters.
 *
 * @param store the rules of writes
 * @param namespaces the namespaces
 * @param deletion the rules of deletes
 */
public record ClientWrites(StoredObjects store, Namespaces namespaces, Deletion deletion) implements ObjectWrites {

	private static final DeleteOptions DEFAULTS = new DeleteOptions(null, null, null, false, Propagation.named(""),
			false);

	@Override
	public PersistedObject create(ResourceDefinition type, String namespace, ObjectNode body) {
		this.namespaces.check(type, namespace, Json.text(body.path("metadata"), "name"));
		return this.store.create(type, namespace, body, WriteOptions.CLIENT);
	}

	@Override
	public PersistedObject update(ResourceDefinition type, ObjectKey key, ObjectNode body) {
		return this.store.update(type, key, body, WriteOptions.CLIENT);
	}

	@Override
	public PersistedObject delete(ResourceDefinition type, ObjectKey key) {
		return this.deletion.delete(type, key, DEFAULTS).object();
	}

}
