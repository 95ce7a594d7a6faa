package dev.kubeinformer.store;

/**
 * What names an object within one resource.
 *
 * @param namespace the namespace, empty for cluster-scoped objects
 * @param name the name
 */
public record ObjectKey(String namespace, String name) implements Comparable<ObjectKey> {

	/**
	 * Reads a key in the form of client-go's {@code MetaNamespaceKeyFunc}.
	 * @param key {@code namespace/name}, or {@code name}
	 * @return the key
	 */
	public static ObjectKey parse(String key) {
		int slash = key.indexOf('/');
		return (slash <= 0) ? new ObjectKey("", key) : new ObjectKey(key.substring(0, slash), key.substring(slash + 1));
	}

	// Hash tables put keys of one hash code, which may be somebody's intention, in order.
	@Override
	public int compareTo(ObjectKey other) {
		int byName = this.name.compareTo(other.name);
		return (byName != 0) ? byName : this.namespace.compareTo(other.namespace);
	}

	@Override
	public String toString() {
		return this.namespace.isEmpty() ? this.name : this.namespace + "/" + this.name;
	}

}
