package dev.kubeinformer.test.internal.write;

import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.resource.ObjectKey;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.status.RequestFailure;
import dev.kubeinformer.test.internal.storage.PersistedObject;

/**
 * Writes complete objects. Each implementation follows the rules for one kind of writer:
 * a client or a test.
 */
public interface ObjectWrites {

	/**
	 * Creates an object.
	 * @param type its resource
	 * @param namespace its namespace, empty for a cluster-scoped object
	 * @param body the object, which this method may modify
	 * @return the stored object
	 * @throws RequestFailure if the object is rejected
	 */
	PersistedObject create(ResourceDefinition type, String namespace, ObjectNode body);

	/**
	 * Replaces an object.
	 * @param type its resource
	 * @param key its key
	 * @param body the new state, which this method may modify
	 * @return the stored object; the current object if nothing changes
	 * @throws RequestFailure if the object is rejected or does not exist
	 */
	PersistedObject update(ResourceDefinition type, ObjectKey key, ObjectNode body);

	/**
	 * Deletes an object.
	 * @param type its resource
	 * @param key its key
	 * @return its last state
	 * @throws RequestFailure if the object does not exist or must not be deleted
	 */
	PersistedObject delete(ResourceDefinition type, ObjectKey key);

}
