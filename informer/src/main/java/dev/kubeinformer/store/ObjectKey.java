package dev.kubeinformer.store;

/**
 * What names an object within one resource.
 *
 * @param namespace the namespace, empty for cluster-scoped objects
 * @param name the name
 */
public record ObjectKey(String namespace, String name) {

	/**
	 * Reads a key in the form of client-go's {@code MetaNamespaceKeyFunc}.
	 * @param key {@code namespace/name}, or {@code name}
	 * @return the key
	 */
	public static ObjectKey parse(String key) {
		int slash = key.indexOf('/');
		return (slash <= 0) ? new ObjectKey("", key) : new ObjectKey(key.substring(0, slash), key.substring(slash + 1));
	}

	@Override
	public String toString() {
		return this.namespace.isEmpty() ? this.name : this.namespace + "/" + this.name;
	}

}
