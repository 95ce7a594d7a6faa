package dev.kubeinformer.internal.codec;

import dev.kubeinformer.types.ObjectKey;

/**
 * Identity of an object as the API server sent it. Missing values are empty.
 *
 * @param namespace the namespace, empty for cluster-scoped objects
 * @param name the name
 * @param uid the UID
 * @param resourceVersion the version
 */
public record ObjectMetadata(String namespace, String name, String uid, String resourceVersion) {

	/**
	 * Returns whether the name of the object is known.
	 * @return {@code false} if not even the name could be read
	 */
	public boolean hasName() {
		return !this.name.isEmpty();
	}

	/**
	 * Returns the key of the object.
	 * @return the key
	 */
	public ObjectKey key() {
		return new ObjectKey(this.namespace, this.name);
	}

}
