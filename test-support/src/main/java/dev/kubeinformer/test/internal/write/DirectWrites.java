package dev.kubeinformer.test.internal.write;

import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.resource.ObjectKey;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.storage.PersistedObject;

/**
 * Writes fixtures of a test: content is not validated, the status is written with the
 * object, and a delete removes the object at once.
 *
 * @param store the rules of writes
 */
public record DirectWrites(StoredObjects store) implements ObjectWrites {

	@Override
	public PersistedObject create(ResourceDefinition type, String namespace, ObjectNode body) {
		return this.store.create(type, namespace, body);
	}

	@Override
	public PersistedObject update(ResourceDefinition type, ObjectKey key, ObjectNode body) {
		return this.store.update(type, key, body, WriteOptions.DIRECT);
	}

	@Override
	public PersistedObject delete(ResourceDefinition type, ObjectKey key) {
		return this.store.delete(type, key);
	}

}
