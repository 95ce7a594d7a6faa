package dev.kubeinformer.internal.codec;

/**
 * The identity of an object as the API server sent it. What is missing is empty.
 *
 * @param namespace the namespace, empty for cluster-scoped objects
 * @param name the name
 * @param uid the UID
 * @param resourceVersion the version
 */
public record ObjectMetadata(String namespace, String name, String uid, String resourceVersion) {

	/**
	 * Returns whether the object can be named at all.
	 * @return {@code false} if not even the name could be read
	 */
	public boolean hasName() {
		return !this.name.isEmpty();
	}

}
